// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import ext4.api.fs.HandOver;
import ext4.api.fs.MountOptions;
import ext4.api.journal.JournalProvider;
import ext4.journal.Jbd2Provider;
import ext4.journal.plain.PlainJournalProvider;
import ext4.lab.stack.Paths;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A busy filesystem is switched between two implementations of JBD2, to and fro: no call fails, no byte is wrong. */
class JournalSwitchTest {
    private static final int THREADS = 3;
    private static final int SWITCHES = 20;

    @TempDir
    Path temp;

    @BeforeAll
    static void judges() {
        Oracles.needE2fsprogs();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-b 1024 -J size=4 -O orphan_file,metadata_csum_seed",
                "-b 4096 -O ^metadata_csum,^64bit,^orphan_file"
            })
    void toThePlainOneAndBackUnderLoad(String options) throws Exception {
        Path image = temp.resolve("image");
        E2fsprogs.mke2fs(image, 64L << 20, options.split(" "));
        JournalProvider[] providers = {new Jbd2Provider(), new PlainJournalProvider()};
        AtomicBoolean enough = new AtomicBoolean();
        AtomicLong rounds = new AtomicLong();
        List<Long> pauses = new ArrayList<>();
        try (var device = Stack.open(image, false);
                ExecutorService pool = Executors.newFixedThreadPool(THREADS)) {
            CoreFileSystem fs = Stack.mount(device, MountOptions.DEFAULTS, "sharded");
            List<Future<?>> load = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                int thread = t;
                load.add(pool.submit(() -> busy(fs, thread, enough, rounds)));
            }
            try {
                for (int i = 0; i < SWITCHES; i++) {
                    long before = rounds.get();
                    while (rounds.get() < before + THREADS && load.stream().noneMatch(Future::isDone)) {
                        Thread.onSpinWait();
                    }
                    HandOver report = fs.swapJournal(providers[i % 2], providers[(i + 1) % 2]);
                    pauses.add(report.pauseMicros());
                }
            } finally {
                enough.set(true);
            }
            for (Future<?> each : load) {
                each.get();
            }
            fs.close();
        }
        E2fsprogs.assertClean(image, "after " + SWITCHES + " switches");
        assertThat(pauses).hasSize(SWITCHES).allMatch(pause -> pause >= 0);
        System.out.println("jbd2 <-> plain, pauses in us: " + pauses + ", rounds of the load: " + rounds);
    }

    /** Files that are made, synced, read back and removed, some of them while they are open. */
    private static void busy(CoreFileSystem fs, int thread, AtomicBoolean enough, AtomicLong rounds) {
        Random random = new Random(thread);
        Paths paths = new Paths(fs);
        Attributes made = new Attributes();
        fs.mkdir(Credentials.ROOT, Paths.ROOT, Paths.bytes("t" + thread), 0755, made);
        paths.forget(made.ino);
        for (int round = 0; !enough.get(); round++) {
            String path = "t" + thread + "/" + round;
            byte[] content = new byte[1 + random.nextInt(30_000)];
            random.nextBytes(content);
            int ino = paths.create(path);
            paths.writeAt(ino, 0, content);
            if (random.nextInt(3) == 0) {
                fs.fsync(ino, random.nextBoolean());
            }
            boolean open = random.nextBoolean();
            if (open) {
                paths.inParent(path, parent -> fs.unlink(Credentials.ROOT, parent, Paths.nameOf(path)));
                assertThat(read(fs, ino, content.length))
                        .as(path + ", without a name")
                        .isEqualTo(content);
            }
            paths.forget(ino);
            if (!open) {
                assertThat(paths.read(path)).as(path).isEqualTo(content);
                paths.inParent(path, parent -> fs.unlink(Credentials.ROOT, parent, Paths.nameOf(path)));
            }
            rounds.incrementAndGet();
        }
    }

    private static byte[] read(CoreFileSystem fs, int ino, int length) {
        ByteBuffer content = ByteBuffer.allocate(length);
        while (content.hasRemaining() && fs.read(ino, content.position(), content) > 0) {
            // until the end
        }
        return content.array();
    }
}
