// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * kill -9 of the process that serves a mount with a keeper: another goes on. What was fsynced is there, an open file keeps
 * its bytes, no file shows another's, and every call returns. More kills with {@code -Dext4.kills=10}.
 */
class KilledAndFollowedTest {
    private static final int KILLS = Integer.getInteger("ext4.kills", 3);

    @TempDir
    Path temp;

    @BeforeAll
    static void judges() {
        Ext4.needMounts();
    }

    private Path image(String... options) throws Exception {
        Path image = temp.resolve("disk.img");
        E2fsprogs.mke2fs(image, 512L << 20, options);
        return image;
    }

    @ParameterizedTest
    @ValueSource(strings = {"sharded", "global"})
    void killedUnderLoad(String strategy) throws Exception {
        Path image = image("-O", "orphan_file", "-J", "size=8");
        long seed = System.nanoTime();
        Map<String, Integer> synced;
        List<Long> waited = new ArrayList<>();
        try (KeptMount mount = new KeptMount(image, Files.createDirectory(temp.resolve("mnt")), "orphan=" + strategy)) {
            byte[] content = CrashLoad.content("unlinked", 100_000);
            Path name = mount.directory.resolve("unlinked");
            try (FileChannel unlinked = FileChannel.open(
                    name, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                unlinked.write(ByteBuffer.wrap(content));
                unlinked.force(true);
                Files.delete(name);
                try (CrashLoad load = new CrashLoad(mount.directory, seed)) {
                    for (int i = 0; i < KILLS; i++) {
                        load.goOn();
                        long start = System.nanoTime();
                        long killed = mount.kill();
                        load.goOn();
                        mount.server(killed);
                        waited.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
                        CrashLoad.check(unlinked, "unlinked", content.length, true);
                        checkSynced(mount.directory, load.synced);
                    }
                    load.goOn();
                    synced = load.synced;
                    System.out.printf(
                            "%d kills, %s: %d files fsynced, %d calls answered ESTALE, %d EEXIST or ENOENT, ms until all"
                                    + " threads went on %s, seed %d%n",
                            KILLS, strategy, synced.size(), load.stale.get(), load.repeated.get(), waited, seed);
                }
            }
            mount.unmount();
        }
        E2fsprogs.assertClean(image, "after " + KILLS + " kills, seed " + seed);
        try (LoopMount kernel = new LoopMount(image, "ro")) {
            checkSynced(kernel.root(), synced);
        }
    }

    private static void checkSynced(Path directory, Map<String, Integer> synced) throws Exception {
        assertTrue(!synced.isEmpty(), "the load fsynced nothing");
        for (Map.Entry<String, Integer> file : synced.entrySet()) {
            assertArrayEquals(
                    CrashLoad.content(file.getKey(), file.getValue()),
                    Files.readAllBytes(directory.resolve(file.getKey())),
                    file.getKey());
        }
    }

    @Test
    void aRestartAfterACrashAndACrashAfterARestart() throws Exception {
        Path image = image();
        try (KeptMount mount = new KeptMount(image, Files.createDirectory(temp.resolve("mnt")), "orphan=sharded")) {
            try (CrashLoad load = new CrashLoad(mount.directory, 1)) {
                load.goOn();
                long first = mount.kill();
                long second = mount.server(first);
                load.goOn();
                Ext4.run("restart", mount.directory.toString()).ok();
                load.goOn();
                long third = mount.kill();
                assertTrue(third != second);
                mount.server(third);
                load.goOn();
                checkSynced(mount.directory, load.synced);
            }
            mount.unmount();
        }
        E2fsprogs.assertClean(image, "after kill, restart, kill");
    }

    @Test
    void withoutItsKeeperAMountGoesOn() throws Exception {
        Path image = image();
        try (KeptMount mount = new KeptMount(image, Files.createDirectory(temp.resolve("mnt")), "orphan=sharded")) {
            ProcessHandle keeper = mount.keeper();
            keeper.destroyForcibly();
            keeper.onExit().join();
            Files.writeString(mount.directory.resolve("file"), "content");
            var refused = Ext4.run("restart", mount.directory.toString());
            assertEquals(1, refused.exit());
            assertTrue(refused.output().contains("the keeper process is gone"), refused.output());
            assertEquals("content", Files.readString(mount.directory.resolve("file")));
            Ext4.run("umount", mount.directory.toString()).ok();
        }
        E2fsprogs.assertClean(image, "without its keeper");
    }
}
