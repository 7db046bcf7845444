// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The core is replaced again and again while threads write, remove open files and list directories; nothing fails. */
class CoreSwapLoadTest {
    private static final int SWAPS = 50;
    private static final int WRITERS = 3;
    private static final int OPEN_FILES = 12;
    private static final int LISTED = 900;
    private static final int CALLS_BETWEEN = 150;

    private final long seed = Long.getLong("ext4.test.seed", System.nanoTime());

    @TempDir
    Path folder;

    private volatile boolean enough;
    private final LongAdder calls = new LongAdder();

    @BeforeAll
    static void needOracles() {
        Oracles.needE2fsprogs();
    }

    @ParameterizedTest(name = "{0} and {1}, mke2fs {2}")
    @CsvSource({
        "sharded, global, -b 4096 -O orphan_file",
        "global, sharded, -b 1024 -O ^orphan_file",
        "sharded, sharded, -b 1024 -O orphan_file",
        "sharded, global, '-b 4096 -O ^dir_index,^orphan_file'",
        "global, sharded, -b 4096 -O ^has_journal",
    })
    void nothingFails(String one, String other, String options) throws Exception {
        System.out.println("seed " + seed);
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 128L << 20, options.split(" "));
        List<Long> pauses = new ArrayList<>();
        try (SwappableMount mount = new SwappableMount(image, one);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < WRITERS; t++) {
                Callable<Void> writer = new Writer(mount, mount.mkdir(TestMount.ROOT, "d" + t), new Random(seed + t));
                running.add(threads.submit(writer));
            }
            int listed = mount.mkdir(TestMount.ROOT, "listed");
            for (int i = 0; i < LISTED; i++) {
                mount.forget(mount.create(listed, "stays" + i));
            }
            running.add(threads.submit(() -> list(mount, listed)));
            running.add(threads.submit(() -> comeAndGo(mount, listed, new Random(seed))));
            try {
                for (int swap = 0; swap < SWAPS; swap++) {
                    awaitCalls(running);
                    pauses.add(mount.swap(swap % 2 == 0 ? other : one));
                }
            } finally {
                enough = true;
            }
            for (Future<?> future : running) {
                future.get();
            }
            mount.run(CoreFileSystem::awaitEvictions);
            assertThat(mount.fs().orphans()).isEmpty();
        }
        E2fsprogs.assertClean(image, "seed " + seed);
        Collections.sort(pauses);
        System.out.printf(
                "%s: %d swaps, %d calls, pause in us: median %d, max %d%n",
                options, SWAPS, calls.sum(), pauses.get(SWAPS / 2), pauses.getLast());
        Oracles.needKernelMounts(); // the last judge
        try (LoopMount kernel = new LoopMount(image, "ro")) {
            assertThat(kernel.root().resolve("listed").toFile().list()).hasSizeGreaterThanOrEqualTo(LISTED);
        }
    }

    /** So that each swap meets the load at another point. */
    private void awaitCalls(List<Future<?>> running) throws Exception {
        long goal = calls.sum() + CALLS_BETWEEN;
        while (calls.sum() < goal) {
            for (Future<?> future : running) {
                if (future.isDone()) {
                    future.get(); // it failed: say why
                }
            }
            Thread.onSpinWait();
        }
    }

    /** Files, each with a pin; some without a name: what they hold is known. */
    private final class Writer implements Callable<Void> {
        final SwappableMount mount;
        final int directory;
        final Random random;
        final Map<Integer, byte[]> open = new HashMap<>();
        final Map<Integer, String> names = new HashMap<>();
        int made;

        Writer(SwappableMount mount, int directory, Random random) {
            this.mount = mount;
            this.directory = directory;
            this.random = random;
        }

        @Override
        public Void call() {
            while (!enough) {
                step();
                calls.increment();
            }
            for (int ino : new ArrayList<>(open.keySet())) {
                check(ino);
                forget(ino);
            }
            return null;
        }

        void step() {
            if (open.size() < OPEN_FILES / 2 || open.size() < OPEN_FILES && random.nextInt(4) == 0) {
                String name = "f" + made++;
                int ino = mount.create(directory, name);
                open.put(ino, new byte[0]);
                names.put(ino, name);
                return;
            }
            List<Integer> all = new ArrayList<>(open.keySet());
            int ino = all.get(random.nextInt(all.size()));
            switch (random.nextInt(7)) {
                case 0, 1 -> write(ino);
                case 2 -> truncate(ino);
                case 3 -> check(ino);
                case 4 -> unlink(ino);
                case 5 -> mount.run(fs -> fs.fsync(ino, random.nextBoolean()));
                default -> {
                    check(ino);
                    unlink(ino);
                    forget(ino);
                }
            }
        }

        void write(int ino) {
            byte[] old = open.get(ino);
            byte[] data = new byte[1 + random.nextInt(30_000)];
            random.nextBytes(data);
            int at = random.nextInt(old.length + 5000);
            mount.write(ino, at, data);
            byte[] now = Arrays.copyOf(old, Math.max(old.length, at + data.length));
            System.arraycopy(data, 0, now, at, data.length);
            open.put(ino, now);
        }

        void truncate(int ino) {
            AttributeChange change = new AttributeChange();
            change.valid = AttributeChange.SIZE;
            change.size = random.nextInt(open.get(ino).length + 1);
            mount.run(fs -> fs.setattr(Credentials.ROOT, ino, change, new Attributes()));
            open.put(ino, Arrays.copyOf(open.get(ino), (int) change.size));
        }

        void check(int ino) {
            byte[] expected = open.get(ino);
            assertThat(mount.read(ino, 0, expected.length + 100))
                    .as("inode %d, seed %d", ino, seed)
                    .isEqualTo(expected);
            assertThat(mount.stat(ino).nlink).isEqualTo(names.containsKey(ino) ? 1 : 0);
        }

        void unlink(int ino) {
            String name = names.remove(ino);
            if (name != null) {
                mount.unlink(directory, name);
            }
        }

        void forget(int ino) {
            open.remove(ino);
            names.remove(ino);
            mount.forget(ino);
        }
    }

    /** A listing goes on over several cores: what stays is listed exactly once. */
    private Void list(SwappableMount mount, int directory) {
        while (!enough) {
            Map<String, Integer> seen = new HashMap<>();
            long[] cookie = {0};
            boolean[] more = {true};
            while (more[0]) {
                more[0] = false;
                int[] room = {7};
                mount.run(fs -> fs.readdir(directory, cookie[0], (next, ino, mode, name, offset, length) -> {
                    if (room[0]-- == 0) {
                        more[0] = true;
                        return false;
                    }
                    cookie[0] = next;
                    seen.merge(new String(name, offset, length, StandardCharsets.UTF_8), 1, Integer::sum);
                    return true;
                }));
                calls.increment();
            }
            for (int i = 0; i < LISTED; i++) {
                assertThat(seen.get("stays" + i))
                        .as("stays%d, seed %d", i, seed)
                        .isEqualTo(1);
            }
        }
        return null;
    }

    /** Makes leaves split, and empties them again. */
    private Void comeAndGo(SwappableMount mount, int directory, Random random) {
        while (!enough) {
            String name = "goes" + random.nextInt(2000);
            try {
                if (random.nextInt(3) > 0) {
                    mount.forget(mount.create(directory, name));
                } else {
                    mount.unlink(directory, name);
                }
            } catch (ErrnoException e) {
                assertThat(e.errno()).isIn(Errno.EEXIST, Errno.ENOENT);
            }
            calls.increment();
        }
        return null;
    }
}
