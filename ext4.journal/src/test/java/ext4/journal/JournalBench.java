// SPDX-License-Identifier: Apache-2.0
package ext4.journal;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.testkit.device.FailingDevice;
import ext4.testkit.device.RecordingDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A device that records and can fail, and journals on it that are closed after each test. */
abstract class JournalBench {
    static final JournalOptions OPTIONS = new JournalOptions(600_000, true, 1 << 20);
    static final long LIMIT = 60;

    RecordingDevice device;
    FailingDevice failing;
    FakeHost host;
    byte[] image;
    final List<Journal> opened = new ArrayList<>();

    @BeforeEach
    void makeImage() {
        image = FakeHost.image();
        failing = new FailingDevice(new ArrayDevice(image));
        device = new RecordingDevice(failing);
        device.start();
        host = new FakeHost(device);
    }

    @AfterEach
    void closeAll() {
        failing.heal();
        opened.forEach(Journal::close);
        assertThat(Thread.getAllStackTraces().keySet())
                .as("threads that outlive their journals")
                .noneMatch(thread -> thread.getName().startsWith("ext4-journal") && thread.isAlive());
    }

    Journal open(String name) {
        JournalProvider provider = name.equals("jbd2") ? new Jbd2Provider() : new NoLogProvider();
        Journal journal = provider.open(host, OPTIONS);
        opened.add(journal);
        return journal;
    }

    static Handle start(Journal journal, int credits) {
        return journal.start(HandleKind.INODE, credits, 0);
    }

    long change(Journal journal, FakeBlock block, long value) {
        try (Handle handle = start(journal, 1)) {
            Content.fill(handle.write(block), block.pblk(), value);
            return handle.tid();
        }
    }

    long onDisk(FakeBlock block) {
        return Content.value(image, block.pblk() * FakeHost.BLOCK);
    }

    /** In a thread of its own: the tests' tasks wait for each other. */
    static CompletableFuture<Void> async(Runnable task) {
        return CompletableFuture.runAsync(task, run -> Thread.ofPlatform().start(run));
    }

    static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(LIMIT, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
