// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.FileSystem;
import ext4.api.fs.MountOptions;
import ext4.core.mount.Ext4CoreProvider;
import ext4.device.FileBlockDeviceProvider;
import ext4.journal.Jbd2Provider;
import ext4.orphan.sharded.ShardedOrphanStrategy;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Threads that make, move and remove each other's files and directories end, and leave a filesystem without a fault. */
class ConcurrentNamesTest {
    private static final int ROOT = 2;
    private static final Credentials WHO = Credentials.ROOT;

    /** What may happen when another thread was faster. */
    private static final Set<Errno> RACES = EnumSet.of(
            Errno.ENOENT,
            Errno.EEXIST,
            Errno.ENOTEMPTY,
            Errno.ENOTDIR,
            Errno.EISDIR,
            Errno.EINVAL,
            Errno.ESTALE,
            Errno.EPERM);

    @TempDir
    Path folder;

    @Test
    @Timeout(value = 180, unit = TimeUnit.SECONDS)
    void nobodyWaitsForEachOther() throws Exception {
        Oracles.needE2fsprogs();
        long seed = Long.getLong("ext4.test.seed", System.nanoTime());
        System.out.println("seed " + seed);
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 64L << 20, "-b", "1024", "-N", "8000", "-O", "orphan_file");
        var device = new FileBlockDeviceProvider().open(image.toString(), false);
        try (CoreFileSystem fs = new Ext4CoreProvider()
                .mount(device, MountOptions.DEFAULTS, new Jbd2Provider(), "sharded", new ShardedOrphanStrategy())) {
            run(fs, seed);
        } finally {
            device.close();
        }
        E2fsprogs.assertClean(image, "seed " + seed);
    }

    private static void run(CoreFileSystem fs, long seed) throws Exception {
        int[] directories = new int[6];
        for (int i = 0; i < directories.length; i++) {
            // some inside others, so that numbers and depth disagree after a few moves
            int parent = i < 2 ? ROOT : directories[i - 2];
            directories[i] = mkdir(fs, parent, "shared" + i);
        }
        for (int i = 0; i < 100; i++) {
            create(fs, directories[0], "stays" + i);
        }
        AtomicBoolean stop = new AtomicBoolean();
        try (ExecutorService threads = Executors.newFixedThreadPool(7)) {
            List<Future<Void>> changers = new ArrayList<>();
            for (int t = 0; t < 6; t++) {
                Random random = new Random(seed + t);
                changers.add(threads.submit(() -> change(fs, directories, random)));
            }
            Future<Void> lister = threads.submit(listing(fs, directories[0], stop));
            for (Future<Void> changer : changers) {
                changer.get();
            }
            stop.set(true);
            lister.get();
        }
    }

    private static Void change(FileSystem fs, int[] directories, Random random) {
        Attributes out = new Attributes();
        for (int step = 0; step < 2500; step++) {
            int from = directories[random.nextInt(directories.length)];
            int to = directories[random.nextInt(directories.length)];
            byte[] name = name(random);
            byte[] other = name(random);
            try {
                switch (random.nextInt(10)) {
                    case 0, 1, 2 -> {
                        fs.create(WHO, from, name, 0644, out);
                        fs.forget(out.ino, 1);
                    }
                    case 3 -> {
                        fs.mkdir(WHO, from, name, 0755, out);
                        fs.forget(out.ino, 1);
                    }
                    case 4, 5 -> fs.rename(WHO, from, name, to, other, 0);
                    case 6 -> fs.rename(WHO, from, name, to, other, FileSystem.RENAME_EXCHANGE);
                    case 7 -> fs.unlink(WHO, from, name);
                    case 8 -> fs.rmdir(WHO, from, name);
                    default -> {
                        fs.lookup(from, name, out);
                        int ino = out.ino;
                        try {
                            fs.link(WHO, ino, to, other, out);
                            fs.forget(ino, 1);
                        } finally {
                            fs.forget(ino, 1);
                        }
                    }
                }
            } catch (Ext4Exception e) {
                if (!RACES.contains(e.errno())) {
                    throw e;
                }
            }
        }
        return null;
    }

    /** Few names, so that threads meet; some of them those of the directories all work in. */
    private static byte[] name(Random random) {
        String name = random.nextInt(12) == 0 ? "shared" + random.nextInt(6) : "name" + random.nextInt(60);
        return name.getBytes(StandardCharsets.UTF_8);
    }

    private static Callable<Void> listing(FileSystem fs, int directory, AtomicBoolean stop) {
        return () -> {
            while (!stop.get()) {
                Map<String, Integer> seen = new HashMap<>();
                try {
                    fs.readdir(directory, 0, (cookie, ino, mode, name, offset, length) -> {
                        seen.merge(new String(name, offset, length, StandardCharsets.UTF_8), 1, Integer::sum);
                        return true;
                    });
                } catch (Ext4Exception e) {
                    // another thread moved a directory over it
                    assertThat(e.errno()).isEqualTo(Errno.ENOENT);
                    return null;
                }
                for (int i = 0; i < 100; i++) {
                    assertThat(seen).containsEntry("stays" + i, 1);
                }
            }
            return null;
        };
    }

    private static int mkdir(FileSystem fs, int parent, String name) {
        Attributes out = new Attributes();
        fs.mkdir(WHO, parent, name.getBytes(StandardCharsets.UTF_8), 0755, out);
        return out.ino;
    }

    private static void create(FileSystem fs, int parent, String name) {
        Attributes out = new Attributes();
        fs.create(WHO, parent, name.getBytes(StandardCharsets.UTF_8), 0644, out);
        fs.forget(out.ino, 1);
    }
}
