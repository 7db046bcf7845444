// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.MountOptions;
import ext4.api.fs.MountOptions.Errors;
import ext4.core.check.Check;
import ext4.core.check.CheckOptions;
import ext4.format.superblock.SuperblockFields;
import ext4.lab.fuzz.Finding.Kind;
import ext4.lab.stack.Stack;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Random;

/** Everything that is done with one damaged image. For one thread. */
final class Trial {
    /** Requests to the device that one operation may make: some times the blocks of an image. */
    private static final int REQUESTS = 60_000;

    private final Base base;
    private final Canvas canvas;
    private final long seed;
    private final Steps steps;
    private boolean mounted;
    private boolean agrees = true;
    /** As the read-write session left it, if it ended well. */
    private FuzzDevice after;

    private String checked = "";

    Trial(Base base, List<Mutation> mutations, long seed, Watchdog watchdog) {
        this.base = base;
        this.seed = seed;
        canvas = new Canvas(base);
        mutations.forEach(mutation -> mutation.apply(base, canvas));
        steps = new Steps(watchdog);
    }

    /** The damaged image. */
    Canvas canvas() {
        return canvas;
    }

    List<Finding> findings() {
        return steps.findings();
    }

    /** Operations that were run. */
    long operations() {
        return steps.count();
    }

    /** Whether it could be mounted read-write. */
    boolean mounted() {
        return mounted;
    }

    /** Whether any operation met a contradiction. */
    boolean metCorruption() {
        return steps.metCorruption();
    }

    /** Mounts read-only and reads, mounts read-write, reads and writes, and unmounts. */
    void run() {
        Random random = new Random(seed);
        MountOptions options = options(random);
        boolean frozen = random.nextInt(4) == 0;
        session(options.withReadOnly(true), frozen, random);
        session(options, false, random);
    }

    private static MountOptions options(Random random) {
        MountOptions defaults = MountOptions.DEFAULTS;
        return new MountOptions(
                false,
                false,
                random.nextInt(8) == 0,
                defaults.atime(),
                0,
                true,
                random.nextBoolean() ? Errors.CONTINUE : Errors.REMOUNT_RO,
                false);
    }

    private void session(MountOptions options, boolean frozen, Random random) {
        FuzzDevice device = new FuzzDevice("image " + seed, canvas, frozen, REQUESTS);
        steps.on(
                device,
                "seed " + seed + ", "
                        + (options.readOnly() ? frozen ? "read-only device" : "read-only" : "read-write"));
        String strategy = Stack.STRATEGIES.get(random.nextInt(Stack.STRATEGIES.size()));
        CoreFileSystem[] made = new CoreFileSystem[1];
        steps.run("mount", () -> made[0] = Stack.mount(device, options, strategy));
        CoreFileSystem fs = made[0];
        if (fs == null) {
            refused(device);
            return;
        }
        List<Walk.Name> names = new Walk(fs, steps, canvas.size() / 12).run();
        if (!options.readOnly()) {
            mounted = true;
            new Writes(fs, steps, random).run(names);
        }
        boolean ended = steps.run("unmount", fs::close);
        if (ended && !options.readOnly()) {
            after = device;
        }
    }

    /** Who refuses has written nothing, unless a log was there to be replayed first. */
    private void refused(FuzzDevice device) {
        if (device.writes() > 0 && !needsRecovery()) {
            steps.found(Kind.CRASH, "the mount was refused after " + device.writes() + " writes");
        }
    }

    private boolean needsRecovery() {
        byte[] b = canvas.copy(base.superblock().block());
        return SuperblockFields.needsRecovery(b, base.superblock().offsetInBlock());
    }

    /** The checker's exit code on the damaged image. */
    int check() {
        FuzzDevice device = new FuzzDevice("image " + seed, canvas, true, REQUESTS * 4L);
        steps.on(device, "check");
        int[] exit = {Check.OPERATIONAL};
        StringWriter output = new StringWriter();
        steps.run("check", () -> exit[0] = Check.run(device, CheckOptions.DEFAULT, new PrintWriter(output)));
        checked = output.toString();
        return exit[0];
    }

    /** What the checker said. */
    String checked() {
        return checked;
    }

    /** What was sound, and gave no reason to complain, must be sound after the changes. */
    void checkAfter(int before) {
        if (before != Check.CLEAN || after == null || metCorruption() || needsRecovery()) {
            return;
        }
        steps.on(after, "check after the changes");
        StringWriter output = new StringWriter();
        int[] exit = {Check.CLEAN};
        steps.run("check", () -> exit[0] = Check.run(after, CheckOptions.DEFAULT, new PrintWriter(output)));
        if (exit[0] != Check.CLEAN) {
            steps.found(Kind.CRASH, "it was clean, and is not any more: " + output);
        }
    }

    /** Checker and e2fsck say different things of the damaged image. */
    void disagrees(Kind kind, String text) {
        agrees = false;
        steps.found(kind, text);
    }

    boolean agrees() {
        return agrees;
    }
}
