// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.api.block.BlockDevice;
import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import ext4.api.fs.HandOver;
import ext4.api.fs.MountOptions;
import ext4.lab.stack.Paths;
import ext4.lab.stack.RestlessJournal;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The journal is replaced again and again while threads work on the filesystem: nothing fails, everything is there. */
class JournalSwapTest {
    private static final int THREADS = 4;
    private static final int SWAPS = 60;
    /** Files that each thread makes and removes at a time. */
    private static final int BATCH = 500;
    /** Such batches between two replacements. */
    private static final int BATCHES = 4;

    private final long seed = Long.getLong("ext4.test.seed", System.nanoTime());

    @TempDir
    Path folder;

    @BeforeAll
    static void judges() {
        Oracles.needE2fsprogs();
    }

    @ParameterizedTest
    @CsvSource({
        "sharded, '-b 1024 -J size=4 -O orphan_file'",
        "global, '-b 1024 -J size=4 -O ^orphan_file'",
        "switch, '-b 1024 -J size=1 -O orphan_file'",
        "switch, '-b 1024 -O ^has_journal,^orphan_file'",
    })
    void nothingFailsWhileTheJournalIsReplaced(String strategy, String options) throws Exception {
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 128L << 20, options.split(" "));
        Map<String, byte[]> expected = new TreeMap<>();
        List<HandOver> reports = new ArrayList<>();
        RestlessJournal[] journals = new RestlessJournal[1];
        try (BlockDevice device = Stack.open(image, false)) {
            String first = strategy.equals("switch") ? "sharded" : strategy;
            CoreFileSystem fs = Stack.mount(device, MountOptions.DEFAULTS, first, inner -> {
                journals[0] = new RestlessJournal(inner, seed);
                return journals[0];
            });
            AtomicBoolean end = new AtomicBoolean();
            try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
                List<Future<Map<String, byte[]>>> running = new ArrayList<>();
                for (int t = 0; t < THREADS; t++) {
                    SwapLoad load = new SwapLoad(fs, "d" + t, seed + t);
                    running.add(threads.submit(() -> {
                        while (!end.get()) {
                            load.step();
                        }
                        return load.finish();
                    }));
                }
                try {
                    while (reports.size() < SWAPS && running.stream().noneMatch(Future::isDone)) {
                        reports.add(fs.swapJournal(journals[0], journals[0]));
                        if (strategy.equals("switch")) {
                            String next = fs.strategyName().equals("global") ? "sharded" : "global";
                            fs.swapOrphanStrategy(next, Stack.strategy(next));
                        }
                    }
                } finally {
                    end.set(true);
                }
                for (Future<Map<String, byte[]>> each : running) {
                    expected.putAll(each.get());
                }
            }
            assertFalse(fs.readOnly());
            fs.awaitEvictions();
            assertEquals(List.of(), fs.orphans(), "seed " + seed);
            fs.close();
        }
        assertEquals(SWAPS, reports.size(), "seed " + seed);
        assertTrue(journals[0].crossings() > 0, "no truncate met a closed journal, seed " + seed);
        E2fsprogs.assertClean(image, "seed " + seed);
        verify(image, expected);
        print(
                strategy + " " + options + ", " + journals[0].crossings() + " of " + journals[0].restarts()
                        + " restarts met a closed journal, seed " + seed,
                reports);
    }

    private void verify(Path image, Map<String, byte[]> expected) {
        try (BlockDevice device = Stack.open(image, true)) {
            CoreFileSystem fs = Stack.mount(device, MountOptions.DEFAULTS.withReadOnly(true), "sharded");
            Paths paths = new Paths(fs);
            expected.forEach((path, content) -> assertArrayEquals(content, paths.read(path), path + ", seed " + seed));
            fs.close();
        }
    }

    /** As fs_mark: directories of empty files, made and removed again. */
    @ParameterizedTest
    @CsvSource({"sharded, 64", "global, 64"})
    void thePauseUnderManySmallFiles(String strategy, int journalMebibytes) throws Exception {
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 512L << 20, "-b", "4096", "-J", "size=" + journalMebibytes);
        List<HandOver> reports = new ArrayList<>();
        try (BlockDevice device = Stack.open(image, false)) {
            CoreFileSystem fs = Stack.mount(device, MountOptions.DEFAULTS, strategy);
            AtomicBoolean end = new AtomicBoolean();
            Semaphore batches = new Semaphore(0);
            try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
                List<Future<?>> running = new ArrayList<>();
                for (int t = 0; t < THREADS; t++) {
                    Attributes directory = new Attributes();
                    fs.mkdir(Credentials.ROOT, Paths.ROOT, Paths.bytes("d" + t), 0755, directory);
                    running.add(threads.submit(() -> makeAndRemove(fs, directory.ino, end, batches)));
                }
                try {
                    while (reports.size() < SWAPS && running.stream().noneMatch(Future::isDone)) {
                        batches.acquire(BATCHES);
                        reports.add(fs.swapJournal(Stack.journal(device), Stack.journal(device)));
                    }
                } finally {
                    end.set(true);
                }
                for (Future<?> each : running) {
                    each.get();
                }
            }
            fs.close();
        }
        assertEquals(SWAPS, reports.size());
        E2fsprogs.assertClean(image, strategy);
        print("fs_mark-like, " + strategy + ", journal of " + journalMebibytes + " MiB", reports);
    }

    private static void makeAndRemove(CoreFileSystem fs, int directory, AtomicBoolean end, Semaphore batches) {
        Attributes made = new Attributes();
        try {
            while (!end.get()) {
                for (int i = 0; i < BATCH; i++) {
                    fs.create(Credentials.ROOT, directory, Paths.bytes("f" + i), 0644, made);
                    fs.forget(made.ino, 1);
                }
                for (int i = 0; i < BATCH; i++) {
                    fs.unlink(Credentials.ROOT, directory, Paths.bytes("f" + i));
                }
                batches.release();
            }
        } finally {
            batches.release(BATCHES * SWAPS); // after a failure nobody waits for more
        }
    }

    private static void print(String what, List<HandOver> reports) {
        long[] pauses =
                reports.stream().mapToLong(HandOver::pauseMicros).sorted().toArray();
        long[] bytes =
                reports.stream().mapToLong(HandOver::flushedBytes).sorted().toArray();
        System.out.printf(
                "%s: %d journals replaced, pause min %d, median %d, max %d us; flushed behind the barrier median %d,"
                        + " max %d bytes%n",
                what,
                reports.size(),
                pauses[0],
                pauses[pauses.length / 2],
                pauses[pauses.length - 1],
                bytes[bytes.length / 2],
                bytes[bytes.length - 1]);
    }
}
