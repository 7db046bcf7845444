// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash;

import ext4.api.fs.CoreFileSystem;
import ext4.api.journal.JournalProvider;
import ext4.core.mount.Ext4CoreProvider;
import ext4.journal.Jbd2Provider;
import ext4.journal.plain.PlainJournalProvider;
import ext4.lab.crash.image.BaseImage;
import ext4.lab.crash.image.Image;
import ext4.lab.crash.image.ImageDevice;
import ext4.lab.crash.load.Snapshot;
import ext4.lab.stack.Stack;
import ext4.lab.stack.TickingClock;
import ext4.testkit.device.DeviceEvent;
import ext4.testkit.oracle.LoopMount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Has images recovered, by this project, by e2fsck and now and then by the kernel, and judges what comes of it: e2fsck must
 * find nothing, nobody may stand on the orphan list, a second recovery must change nothing. What came out once is judged
 * once. Belongs to one thread.
 */
final class Judge implements AutoCloseable {
    /**
     * When e2fsck 1.47.0 cuts an orphan it trips over an extent node that becomes empty, and takes the block of extended
     * attributes away; both also in files that the kernel wrote. Where it then has something to repair, the kernel judges.
     */
    private static final String TRIPS = "Truncating orphaned inode";

    /**
     * What e2fsck changes after a crash of the kernel too: the superblock's totals, which are written at unmount only, the
     * flag orphan_present, and the shape of an extent tree that it has cut itself.
     */
    private static final Pattern AS_AFTER_THE_KERNEL =
            Pattern.compile("Free (blocks|inodes) count wrong \\(\\d+, counted=\\d+\\)\\.\\s*Fix\\? yes"
                    + "|Orphan file \\(inode \\d+\\) block \\d+ is not clean\\.\\s*Clear\\? yes"
                    + "|Feature orphan_present is set but orphan file is clean\\.\\s*Clear\\? yes"
                    + "|extent tree \\(at level \\d\\) could be (shorter|narrower)\\.\\s*Optimize\\? yes");

    /** Trees kept for images that come out again. */
    private static final int REMEMBERED = 400;

    private static final long RECOVERY_SECONDS = BaseImage.MADE_SECONDS + 1_000_000;

    /**
     * Which of the parts recover an image.
     *
     * @param strategy an orphan strategy's name
     * @param plain the second journal
     */
    record Recoverer(String strategy, boolean plain) {
        /** One of all, by chance. */
        static Recoverer of(long hash) {
            int strategy = (int) Math.floorMod(hash >>> 18, (long) Stack.STRATEGIES.size());
            return new Recoverer(Stack.STRATEGIES.get(strategy), Math.floorMod(hash >>> 30, 4) == 0);
        }
    }

    private static final Recoverer USUAL = new Recoverer("global", false);

    /** @param byE2fsck null if it was left to the kernel, which could not be asked */
    record Trees(Snapshot here, Snapshot byE2fsck, Snapshot byTheKernel) {}

    private final BaseImage base;
    private final Tally tally;
    private final boolean kernelThere;
    private final ImageFile file;
    private final E2fsck e2fsck;
    private final Image recovered;
    private final Image again;
    private final Image theirs;
    private final Map<Long, Snapshot> judged = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Snapshot> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** @param file of this judge alone */
    Judge(BaseImage base, Path file, Tally tally, boolean kernelThere) throws IOException {
        this.base = base;
        this.tally = tally;
        this.kernelThere = kernelThere;
        this.file = new ImageFile(file, base.image());
        e2fsck = new E2fsck();
        recovered = new Image(base.image());
        again = new Image(base.image());
        theirs = new Image(base.image());
    }

    /** @param kernel whether the kernel recovers it too */
    Trees judge(Image state, Recoverer by, boolean kernel) throws Wrong, IOException {
        Snapshot here = here(state, by);
        Snapshot byE2fsck = byE2fsck(state);
        boolean ask = kernelThere && (kernel || byE2fsck == null);
        return new Trees(here, byE2fsck, ask ? byTheKernel(state) : null);
    }

    private Snapshot here(Image state, Recoverer by) throws Wrong, IOException {
        recovered.become(state);
        try {
            mount(new ImageDevice(recovered, false), by).close();
        } catch (RuntimeException e) {
            throw new Wrong("recovery here failed: " + e, e);
        }
        long hash = base.judgedHash(recovered);
        Snapshot known = judged.get(hash);
        if (known == null) {
            known = tree(recovered, hash, "recovered here");
            file.show(recovered);
            clean("recovered here");
            judged.put(hash, known);
        }
        return known;
    }

    /** What recovery here writes to a device that holds {@code state}. */
    List<DeviceEvent> writes(Image state, Recoverer by) throws Wrong {
        recovered.become(state);
        ImageDevice device = new ImageDevice(recovered, true);
        try {
            mount(device, by).close();
        } catch (RuntimeException e) {
            throw new Wrong("recovery here failed: " + e, e);
        }
        return device.events();
    }

    private static CoreFileSystem mount(ImageDevice device, Recoverer by) {
        TickingClock clock = new TickingClock(RECOVERY_SECONDS);
        JournalProvider journal = by.plain() ? new PlainJournalProvider(clock) : new Jbd2Provider(clock);
        return new Ext4CoreProvider(clock, clock)
                .mount(device, Stack.QUIET, journal, by.strategy(), Stack.strategy(by.strategy()));
    }

    /** Mounts a recovered image, which must change nothing, and reads its tree. */
    private Snapshot tree(Image image, long hash, String how) throws Wrong {
        again.become(image);
        Snapshot tree;
        try {
            CoreFileSystem fs = mount(new ImageDevice(again, false), USUAL);
            try {
                if (!fs.orphans().isEmpty()) {
                    throw new Wrong(how + ": orphans are left: " + fs.orphans());
                }
                tree = Snapshot.of(fs);
            } finally {
                fs.close();
            }
        } catch (RuntimeException e) {
            throw new Wrong(how + ": is not mounted again: " + e, e);
        }
        if (base.judgedHash(again) != hash) {
            throw new Wrong(how + ": a second recovery changes it");
        }
        return tree;
    }

    private void clean(String how) throws Wrong, IOException {
        E2fsck.Result check = e2fsck.run("-fn", file.path());
        tally.checks.increment();
        if (check.exit() != 0) {
            throw new Wrong(how + ": e2fsck -fn exits with " + check.exit() + ":\n" + check.output());
        }
    }

    /** Null if e2fsck trips over itself. */
    private Snapshot byE2fsck(Image state) throws Wrong, IOException {
        file.show(state);
        E2fsck.Result recovery = e2fsck.run("-fy", file.path());
        tally.checks.increment();
        file.take(theirs);
        String repairs = AS_AFTER_THE_KERNEL.matcher(recovery.output()).replaceAll("");
        if (recovery.exit() > 1 || repairs.contains("? yes")) {
            if (recovery.output().contains(TRIPS)) {
                tally.tripped.increment();
                return null;
            }
            throw new Wrong("e2fsck had to repair, exit " + recovery.exit() + ":\n" + recovery.output());
        }
        return judged(theirs, "recovered by e2fsck");
    }

    private Snapshot byTheKernel(Image state) throws Wrong, IOException {
        file.show(state);
        tally.kernel.increment();
        try {
            new LoopMount(file.path(), "rw").close();
        } catch (AssertionError e) {
            throw new Wrong("the kernel does not recover it: " + e.getMessage(), e);
        } finally {
            file.take(theirs);
        }
        return judged(theirs, "recovered by the kernel");
    }

    /** What stands in the file too. */
    private Snapshot judged(Image image, String how) throws Wrong, IOException {
        long hash = base.judgedHash(image);
        Snapshot known = judged.get(hash);
        if (known == null) {
            clean(how);
            known = tree(image, hash, how);
            judged.put(hash, known);
        }
        return known;
    }

    @Override
    public void close() throws IOException {
        e2fsck.close();
        file.close();
    }
}
