// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.SwapReport;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The orphan strategy is replaced again and again while threads make, cut and remove files; nothing fails. */
class LiveSwapTest {
    private static final int THREADS = 4;
    private static final int STEPS = 1500;

    private final long seed = Long.getLong("ext4.test.seed", System.nanoTime());

    @TempDir
    Path folder;

    @BeforeAll
    static void needOracles() {
        Oracles.needE2fsprogs();
    }

    @ParameterizedTest(name = "mke2fs {0}")
    @ValueSource(strings = {"-b 4096", "-b 1024 -O orphan_file", "-b 4096 -O ^has_journal"})
    void nothingFailsWhileStrategiesChange(String options) throws Exception {
        System.out.println("seed " + seed);
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 256L << 20, options.split(" "));
        try (TestMount mount = new TestMount(image);
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                int directory = mount.mkdir(TestMount.ROOT, "d" + t);
                Random random = new Random(seed + t);
                running.add(threads.submit(() -> work(mount, directory, random)));
            }
            String next = "global";
            int swaps = 0;
            while (running.stream().anyMatch(future -> !future.isDone())) {
                SwapReport report = mount.fs.swapOrphanStrategy(next, TestMount.strategy(next));
                assertThat(report.to()).isEqualTo(next).isEqualTo(mount.fs.strategyName());
                next = report.from();
                mount.fs.syncfs();
                swaps++;
            }
            for (Future<?> future : running) {
                future.get();
            }
            assertThat(swaps).isPositive();
            System.out.println(swaps + " swaps");
        }
        E2fsprogs.assertClean(image, "seed " + seed);
    }

    private static void work(TestMount mount, int directory, Random random) {
        List<Integer> pinned = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            String name = "f" + random.nextInt(40);
            try {
                change(mount, directory, name, random, pinned);
            } catch (ext4.api.fs.ErrnoException e) {
                assertThat(e.errno()).isIn(ext4.api.fs.Errno.ENOENT, ext4.api.fs.Errno.EEXIST);
            }
        }
        pinned.forEach(ino -> mount.fs.forget(ino, 1));
    }

    private static void change(TestMount mount, int directory, String name, Random random, List<Integer> pinned) {
        switch (random.nextInt(5)) {
            case 0 -> {
                int ino = mount.create(directory, name);
                mount.write(ino, random.nextInt(100_000), new byte[1 + random.nextInt(20_000)]);
                pinned.add(ino);
            }
            case 1 -> mount.unlink(directory, name);
            case 2 -> {
                int ino = mount.lookup(directory, name);
                mount.truncate(ino, random.nextInt(50_000));
                mount.fs.forget(ino, 1);
            }
            case 3 -> {
                int ino = mount.lookup(directory, name);
                AttributeChange change = new AttributeChange();
                change.valid = AttributeChange.UID | AttributeChange.GID;
                change.uid = random.nextInt(100_000);
                change.gid = random.nextInt(100_000);
                Attributes out = new Attributes();
                mount.fs.setattr(Credentials.ROOT, ino, change, out);
                assertThat(out.uid).isEqualTo(change.uid);
                pinned.add(ino);
            }
            default -> {
                if (!pinned.isEmpty()) {
                    mount.fs.forget(pinned.removeLast(), 1);
                }
            }
        }
    }
}
