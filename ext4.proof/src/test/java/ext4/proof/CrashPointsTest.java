// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.MountOptions;
import ext4.api.journal.JournalProvider;
import ext4.journal.plain.PlainJournalProvider;
import ext4.testkit.device.CrashImage;
import ext4.testkit.device.DeviceEvent;
import ext4.testkit.device.RecordingDevice;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A mixed workload is recorded write by write; the crash is then tried after each of them. Each state is recovered here
 * and by e2fsck; after both {@code e2fsck -fn} must find nothing, and what was promised durable must be there.
 */
class CrashPointsTest {
    private static final int OPERATIONS = 220;
    private static final long IMAGE_BYTES = 8L << 20;

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

    @TempDir
    Path temp;

    @BeforeAll
    static void judges() {
        Oracles.needE2fsprogs();
    }

    @ParameterizedTest
    @CsvSource({
        "global, 11, 1, '-b 1024 -J size=1 -O orphan_file,metadata_csum_seed'",
        "sharded, 12, 1, '-b 1024 -J size=1 -O orphan_file,metadata_csum_seed'",
        "switch, 13, 1, '-b 1024 -J size=1 -O orphan_file,metadata_csum_seed'",
        "sharded, 14, 7, '-b 1024 -J size=1 -O ^metadata_csum,^64bit'",
        "switch, 15, 7, '-b 1024 -J size=1 -I 128'",
        "journal, 16, 16, '-b 1024 -J size=1 -O orphan_file,metadata_csum_seed'",
    })
    @Execution(ExecutionMode.CONCURRENT)
    void everyWriteMayBeTheLast(String strategy, long number, int stride, String options) throws Exception {
        long seed = number + Long.getLong("ext4.crash.seed", 0); // other seeds, other workloads
        Path base = temp.resolve("base.img");
        E2fsprogs.mke2fs(base, IMAGE_BYTES, options.split(" "));
        Path work = temp.resolve("work.img");
        Files.copy(base, work);
        RecordingDevice device = new RecordingDevice(Stack.open(work, false));
        BitSet handOvers = new BitSet();
        MixedWorkload workload = record(device, strategy, seed, handOvers);
        E2fsprogs.assertClean(work, "after the workload, seed " + seed);
        List<DeviceEvent> events = device.events();
        int states = replay(base, events, workload.promises.all(), seed, stride, handOvers);
        System.out.printf(
                "%s, seed %d: %d operations, %d device events, %d states, %d promises%n",
                strategy,
                seed,
                OPERATIONS,
                events.size(),
                states,
                workload.promises.all().size());
    }

    /** As above, with the core replaced again and again; crashes are tried after each write of a hand-over, and a few others. */
    @ParameterizedTest
    @CsvSource({
        "21, '-b 1024 -J size=1 -O orphan_file,metadata_csum_seed'",
        "22, '-b 1024 -J size=1 -O ^orphan_file,^metadata_csum'",
    })
    void everyWriteOfACoreHandOverMayBeTheLast(long number, String options) throws Exception {
        long seed = number + Long.getLong("ext4.crash.seed", 0);
        Path base = temp.resolve("base.img");
        E2fsprogs.mke2fs(base, IMAGE_BYTES, options.split(" "));
        Path work = temp.resolve("work.img");
        Files.copy(base, work);
        RecordingDevice device = new RecordingDevice(Stack.open(work, false));
        BitSet handOvers = new BitSet();
        MixedWorkload workload = recordHandOvers(device, seed, handOvers);
        E2fsprogs.assertClean(work, "after the workload, seed " + seed);
        List<DeviceEvent> events = device.events();
        int states = replay(base, events, workload.promises.all(), seed, 50, handOvers);
        System.out.printf(
                "core, seed %d: %d device events, %d within hand-overs, %d states%n",
                seed, events.size(), handOvers.cardinality(), states);
        assertTrue(states > 20, states + " states");
    }

    /** {@code handOvers} gets the positions from the beginning of each to its end. */
    private static MixedWorkload recordHandOvers(RecordingDevice device, long seed, BitSet handOvers) {
        device.start();
        try (device) {
            CoreFileSystem first = Stack.mount(device, MountOptions.DEFAULTS, "global");
            ReplaceableCore core = new ReplaceableCore(device, MountOptions.DEFAULTS, first);
            CoreFileSystem fs = core.fs();
            MixedWorkload workload = new MixedWorkload(fs, seed, device::position);
            workload.begin();
            for (int i = 0; i < OPERATIONS; i++) {
                workload.step();
                if (i % 20 == 10) {
                    int from = device.position();
                    core.replace();
                    handOvers.set(from, device.position() + 1);
                }
            }
            workload.closeAll();
            fs.close();
            return workload;
        }
    }

    /** @param handOvers gets the device's positions between begin and end of replacements of the journal */
    private static MixedWorkload record(RecordingDevice device, String strategy, long seed, BitSet handOvers) {
        boolean switching = strategy.equals("switch");
        boolean replacing = strategy.equals("journal");
        device.start();
        MixedWorkload workload;
        RestlessJournal[] restless = new RestlessJournal[1];
        try (device) {
            CoreFileSystem fs =
                    Stack.mount(device, MountOptions.DEFAULTS, switching || replacing ? "global" : strategy, inner -> {
                        restless[0] = new RestlessJournal(inner, seed);
                        return restless[0];
                    });
            JournalProvider[] journals = {restless[0], new RestlessJournal(new PlainJournalProvider(), seed)};
            workload = new MixedWorkload(fs, seed, device::position);
            workload.begin();
            for (int i = 0; i < OPERATIONS; i++) {
                workload.step();
                if (switching && i % 20 == 10) {
                    String next = fs.strategyName().equals("global") ? "sharded" : "global";
                    fs.swapOrphanStrategy(next, Stack.strategy(next));
                }
                if (replacing && i % 20 == 10) {
                    int from = device.position();
                    int turn = i / 20;
                    fs.swapJournal(journals[turn % 2], journals[(turn + 1) % 2]);
                    handOvers.set(from, device.position() + 1);
                }
            }
            workload.closeAll();
            fs.close();
        }
        assertTrue(restless[0].restarts() > 0, "no truncate spanned two transactions, seed " + seed);
        return workload;
    }

    private int replay(
            Path base, List<DeviceEvent> events, List<Promises.Promise> promises, long seed, int stride, BitSet closely)
            throws Exception {
        Path state = Files.copy(base, temp.resolve("state.img"));
        Path flushed = Files.copy(base, temp.resolve("flushed.img"));
        Path torn = temp.resolve("torn.img");
        Random random = new Random(seed);
        int states = 0;
        int flushedAt = 0;
        try (CrashImage image = new CrashImage(state, events)) {
            for (int n = Integer.getInteger("ext4.crash.from", 0); n <= events.size(); n++) {
                image.advanceTo(n);
                if (n > 0 && image.lastFlush() == n) {
                    flushedAt = n; // a flush changes no byte: this state was judged, and by what the flush made durable
                    image.copyTo(flushed);
                    continue;
                }
                if (n % stride != 0 && !closely.get(n)) {
                    continue;
                }
                String when = "seed " + seed + ", crash after event " + n + " of " + events.size();
                judge(state, binding(promises, n, throughFlushes(events, n)), n, when);
                states++;
                if (n % (7 * stride) == 0) {
                    CrashImage.copyTorn(flushed, events, flushedAt, n, random, torn);
                    judge(torn, binding(promises, n, n), n, when + ", torn since " + flushedAt);
                    states++;
                }
            }
        }
        return states;
    }

    /** The bytes after event {@code n} are also those after the flushes that follow it. */
    private static int throughFlushes(List<DeviceEvent> events, int n) {
        int position = n;
        while (position < events.size() && events.get(position) instanceof DeviceEvent.Flush) {
            position++;
        }
        return position;
    }

    private static List<Promises.Promise> binding(List<Promises.Promise> promises, int n, int acknowledged) {
        return promises.stream()
                .filter(promise -> promise.from() <= acknowledged && promise.to() >= n)
                .toList();
    }

    private void judge(Path state, List<Promises.Promise> promises, int n, String when) throws IOException {
        try {
            Path here = temp.resolve("here.img");
            Files.copy(state, here, StandardCopyOption.REPLACE_EXISTING);
            recoverHere(here, promises, n, when);
            Files.copy(state, here, StandardCopyOption.REPLACE_EXISTING);
            recoverByE2fsck(state, here, when);
        } catch (AssertionError e) {
            Files.copy(state, Path.of("target", "crash-" + n + ".img"), StandardCopyOption.REPLACE_EXISTING);
            throw e;
        }
    }

    private static void recoverByE2fsck(Path state, Path copy, String when) throws IOException {
        Tool.Result recovery = Tool.run("e2fsck", "-fy", copy);
        String repairs = AS_AFTER_THE_KERNEL.matcher(recovery.output()).replaceAll("");
        boolean repaired = recovery.exit() > 1 || repairs.contains("? yes");
        if (repaired && recovery.output().contains(TRIPS)) {
            Files.copy(state, copy, StandardCopyOption.REPLACE_EXISTING);
            recoverByTheKernel(copy, when);
            return;
        }
        assertFalse(repaired, when + ": e2fsck had to repair:\n" + recovery.output());
        E2fsprogs.assertClean(copy, when + ", recovered by e2fsck");
    }

    private static void recoverByTheKernel(Path image, String when) {
        Oracles.needKernelMounts();
        new LoopMount(image, "rw").close();
        E2fsprogs.assertClean(image, when + ", recovered by the kernel");
    }

    private static void recoverHere(Path image, List<Promises.Promise> promises, int n, String when) {
        try (BlockDevice device = Stack.open(image, false)) {
            CoreFileSystem fs = Stack.mount(device, MountOptions.DEFAULTS, n % 2 == 0 ? "global" : "sharded");
            Paths paths = new Paths(fs);
            for (Promises.Promise promise : promises) {
                assertArrayEquals(promise.content(), paths.read(promise.path()), when + ": " + promise.path());
            }
            fs.close();
        } catch (RuntimeException e) {
            throw new AssertionError(when + ": recovery here failed", e);
        }
        E2fsprogs.assertClean(image, when + ", recovered here");
    }
}
