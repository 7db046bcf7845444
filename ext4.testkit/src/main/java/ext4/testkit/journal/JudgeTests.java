// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalRecovery;
import ext4.testkit.device.ArrayDevice;
import ext4.testkit.device.DeviceEvent;
import ext4.testkit.device.RecordingDevice;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs of this project replayed by e2fsck, and logs of the kernel replayed by both: the blocks must be the same. */
abstract class JudgeTests extends JournalCase {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-b 1024 -O metadata_csum,64bit",
                "-b 1024 -O ^metadata_csum,^64bit",
                "-b 4096 -O ^metadata_csum,64bit",
                "-b 4096 -O metadata_csum,^64bit",
            })
    void e2fsckReplaysWhatThisJournalWrote(String options) throws Exception {
        Oracles.needE2fsprogs();
        long seed = Long.getLong("ext4.seed", System.nanoTime());
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 24L << 20, (options + " -J size=4").split(" "));
        Path file = Files.writeString(folder.resolve("file"), "x".repeat(300 << 12));
        E2fsprogs.debugfs(image, true, "write " + file + " pool");
        E2fsprogs.debugfs(image, true, "feature needs_recovery");
        byte[] base = Files.readAllBytes(image);
        RecordingDevice device = new RecordingDevice(new ArrayDevice(base.clone()));
        ImageHost host = new ImageHost(image, device);
        device.start();
        List<Integer> commits = write(host, device, ImageHost.fileBlocks(image, "pool"), seed);
        List<DeviceEvent> events = device.events();
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 4; round++) {
            int at = round < 2
                    ? commits.get(random.nextInt(commits.size()))
                    : commits.getFirst() + random.nextInt(events.size() - commits.getFirst());
            byte[] crashed = apply(base, events.subList(0, at));
            compare(host, crashed, options + ", seed " + seed + ", event " + at);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-b 1024 -O metadata_csum,64bit", "-b 4096 -O ^metadata_csum,^64bit"})
    void theKernelReplaysWhatThisJournalWrote(String options) throws Exception {
        Oracles.needKernelMounts();
        long seed = Long.getLong("ext4.seed", System.nanoTime());
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 24L << 20, (options + " -J size=4").split(" "));
        Path file = Files.writeString(folder.resolve("file"), "x".repeat(300 << 12));
        E2fsprogs.debugfs(image, true, "write " + file + " pool");
        E2fsprogs.debugfs(image, true, "feature needs_recovery");
        byte[] base = Files.readAllBytes(image);
        RecordingDevice device = new RecordingDevice(new ArrayDevice(base.clone()));
        ImageHost host = new ImageHost(image, device);
        long[] pool = ImageHost.fileBlocks(image, "pool");
        device.start();
        List<Integer> commits = write(host, device, pool, seed);
        int at = commitToReplay(host, base, device, commits, seed);
        byte[] crashed = apply(base, device.events().subList(0, at));
        Files.write(image, crashed);
        provider().recover(new ImageHost(host, new ArrayDevice(crashed)));
        try (LoopMount mount = new LoopMount(image, "rw")) {
            byte[] theirs = Files.readAllBytes(mount.root().resolve("pool"));
            for (int i = 0; i < pool.length; i++) {
                int bs = host.blockSize();
                int from = (int) pool[i] * bs;
                assertTrue(
                        Arrays.equals(crashed, from, from + bs, theirs, i * bs, (i + 1) * bs),
                        "seed " + seed + ", event " + at + ", block " + pool[i]);
            }
        }
        E2fsprogs.assertClean(image, "after the kernel's recovery");
    }

    /** An event at which the log has something to replay: a checkpoint may have emptied it at any of the commits. */
    private int commitToReplay(ImageHost host, byte[] base, RecordingDevice device, List<Integer> commits, long seed) {
        int first = new SplittableRandom(seed).nextInt(commits.size());
        for (int i = 0; i < commits.size(); i++) {
            int at = commits.get((first + i) % commits.size());
            byte[] crashed = apply(base, device.events().subList(0, at));
            ImageHost copy = new ImageHost(host, new ArrayDevice(crashed));
            if (provider().recover(copy).transactions() > 0) {
                return at;
            }
        }
        throw new AssertionError("seed " + seed + ": nothing to replay after any of " + commits.size() + " commits");
    }

    /** Writes and frees blocks of a file in transactions that wrap the log; returns where the record stood after each. */
    private List<Integer> write(ImageHost host, RecordingDevice device, long[] pool, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Integer> commits = new ArrayList<>();
        ModelBlock[] blocks = new ModelBlock[pool.length];
        for (int i = 0; i < pool.length; i++) {
            blocks[i] = new ModelBlock(pool[i], new byte[host.blockSize()]);
        }
        try (Journal journal = provider().open(host, OPTIONS)) {
            for (int round = 0; round < 120; round++) {
                try (Handle handle = journal.start(HandleKind.INODE, 70, 0)) {
                    for (int i = 0; i < 60; i++) {
                        ModelBlock block = blocks[random.nextInt(blocks.length)];
                        Content.fill(handle.write(block), block.pblk(), round * 100L + i);
                        if (random.nextInt(10) == 0) {
                            handle.forget(block.pblk(), block);
                        }
                    }
                }
                journal.commitRunning();
                commits.add(device.position());
            }
        }
        return commits;
    }

    private static byte[] apply(byte[] base, List<DeviceEvent> events) {
        byte[] image = base.clone();
        for (DeviceEvent event : events) {
            if (event instanceof DeviceEvent.Write write) {
                System.arraycopy(write.data(), 0, image, (int) write.offset(), write.data().length);
            }
        }
        return image;
    }

    /** Recovers with both and compares everything but journal and superblock; returns what was recovered. */
    private JournalRecovery compare(ImageHost host, byte[] crashed, String what) throws IOException {
        Path theirs = Files.write(folder.resolve("theirs"), crashed);
        Tool.Result result = Tool.run("e2fsck", "-fy", "-E", "journal_only", theirs);
        assertTrue(result.exit() <= 1, what + "\n" + result.output());
        byte[] ours = crashed.clone();
        JournalRecovery recovery = provider().recover(new ImageHost(host, new ArrayDevice(ours)));
        byte[] left = host.withoutJournal(ours);
        byte[] right = host.withoutJournal(Files.readAllBytes(theirs));
        int difference = Arrays.mismatch(left, right);
        assertEquals(
                -1,
                difference < 0 ? -1 : difference / host.blockSize(),
                what + ": first block that differs; " + recovery + "; e2fsck: " + result.output());
        return recovery;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-b 1024 -O metadata_csum,64bit",
                "-b 4096 -O ^metadata_csum,^64bit",
                "-b 4096 -O metadata_csum,64bit",
            })
    void bothReplayWhatTheKernelWrote(String options) throws Exception {
        Oracles.needKernelMounts();
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 24L << 20, (options + " -J size=4 -N 4096").split(" "));
        byte[] crashed;
        try (LoopMount mount = new LoopMount(image, "rw")) {
            busy(mount.root(), image);
            crashed = Files.readAllBytes(image);
        }
        Path copy = Files.write(folder.resolve("crashed"), crashed);
        ImageHost host = new ImageHost(copy, new ArrayDevice(crashed));
        JournalRecovery recovery = compare(host, crashed, options);
        assertTrue(recovery.transactions() > 0, "the log held something");
        byte[] ours = crashed.clone();
        provider().recover(new ImageHost(host, new ArrayDevice(ours)));
        Path checked = Files.write(folder.resolve("checked"), ours);
        E2fsprogs.recover(checked);
        E2fsprogs.assertClean(checked, "after this project's recovery");
    }

    /** Many small files, directories that grow and go, and several commits. */
    private static void busy(Path root, Path image) throws IOException {
        for (int round = 0; round < 6; round++) {
            Path directory = Files.createDirectory(root.resolve("d" + round));
            for (int i = 0; i < 200; i++) {
                Files.write(directory.resolve("a-rather-long-name-of-a-file-" + i), new byte[100 * i]);
            }
            Tool.run("sync", "-f", root).ok();
            if (round % 2 == 1) {
                Path old = root.resolve("d" + (round - 1));
                for (int i = 0; i < 200; i++) {
                    Files.delete(old.resolve("a-rather-long-name-of-a-file-" + i));
                }
                Files.delete(old);
                Files.write(root.resolve("reuse" + round), new byte[3 << 20]);
                Tool.run("sync", "-f", root).ok();
            }
        }
        Files.write(root.resolve("last"), ByteBuffer.allocate(8).putLong(1).array());
        Tool.run("sync", "-f", root).ok();
    }
}
