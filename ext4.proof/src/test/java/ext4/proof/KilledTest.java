// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.MountOptions;
import ext4.lab.stack.Paths;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * kill -9 of the serving process under load. What was fsynced is there after recovery by this project, by the kernel and
 * by e2fsck, and each leaves an image that {@code e2fsck -fn} finds nothing in.
 */
class KilledTest {
    @TempDir
    Path temp;

    @BeforeAll
    static void judges() {
        Ext4.needMounts();
        Oracles.needKernelMounts();
        Oracles.needTool("fs_mark");
    }

    @ParameterizedTest
    @CsvSource({"global, 30, fuse", "sharded, 60, fuse-uring", "sharded, 120, fuse", "global, 90, fuse-uring"})
    void whatWasSyncedSurvives(String strategy, int syncsBeforeTheKill, String transport) throws Exception {
        Ext4.needTransport(transport);
        Path image = temp.resolve("disk.img");
        E2fsprogs.mke2fs(image, 128L << 20, "-O", "orphan_file", "-J", "size=4");
        Path directory = Files.createDirectory(temp.resolve("mnt"));
        Process server = Ext4.serve(image, directory, "orphan=" + strategy + ",transport=" + transport);
        Map<String, byte[]> synced;
        try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
            Future<?> load = pool.submit(() -> {
                RemoveLoad churn = new RemoveLoad(directory, 150);
                while (true) {
                    churn.round(); // ends with an error when the server is gone
                }
            });
            synced = writeAndSync(directory, syncsBeforeTheKill);
            server.destroyForcibly().waitFor();
            Tool.run("umount", "-l", directory);
            awaitEnd(load);
        }
        judge(image, synced);
    }

    private static Map<String, byte[]> writeAndSync(Path directory, int count) throws IOException {
        Map<String, byte[]> synced = new TreeMap<>();
        Random random = new Random(count);
        for (int i = 0; i < count; i++) {
            byte[] content = new byte[1 + random.nextInt(20_000)];
            random.nextBytes(content);
            try (FileChannel file = FileChannel.open(
                    directory.resolve("synced" + i), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                file.write(ByteBuffer.wrap(content));
                file.force(true);
            }
            synced.put("synced" + i, content);
        }
        return synced;
    }

    private static void awaitEnd(Future<?> load) throws InterruptedException {
        try {
            load.get();
        } catch (java.util.concurrent.ExecutionException e) {
            // as it must be: its filesystem went away
        }
    }

    /** The highest number of a commit block that the log to be recovered holds. */
    private static long newestSequence(Path image) {
        return Pattern.compile("sequence (\\d+), type 2")
                .matcher(E2fsprogs.debugfs(image, false, "logdump"))
                .results()
                .mapToLong(match -> Long.parseLong(match.group(1)))
                .max()
                .orElse(0);
    }

    private static long nextSequence(Path image) {
        Matcher sequence = Pattern.compile("Journal sequence:\\s+0x([0-9a-f]+)")
                .matcher(Tool.run("dumpe2fs", "-h", image).ok().output());
        assertTrue(sequence.find());
        return Long.parseLong(sequence.group(1), 16);
    }

    private void judge(Path image, Map<String, byte[]> synced) throws IOException {
        Path here = Files.copy(image, temp.resolve("here.img"));
        Path kernel = Files.copy(image, temp.resolve("kernel.img"));
        Path fsck = Files.copy(image, temp.resolve("fsck.img"));
        long newest = newestSequence(here);
        try (BlockDevice device = Stack.open(here, false);
                CoreFileSystem fs = Stack.mount(device, MountOptions.DEFAULTS, "sharded")) {
            Paths paths = new Paths(fs);
            synced.forEach((path, content) -> assertArrayEquals(content, paths.read(path), path));
        }
        E2fsprogs.assertClean(here, "recovered here");
        assertTrue(nextSequence(here) > newest, "a sequence number of the old log would be used again");
        for (Path recovered : new Path[] {kernel, here}) {
            try (LoopMount mount = new LoopMount(recovered, "rw")) {
                for (Map.Entry<String, byte[]> file : synced.entrySet()) {
                    assertArrayEquals(
                            file.getValue(), Files.readAllBytes(mount.root().resolve(file.getKey())));
                }
            }
            E2fsprogs.assertClean(recovered, "after the kernel");
        }
        E2fsprogs.recover(fsck);
        E2fsprogs.assertClean(fsck, "recovered by e2fsck");
    }
}
