// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.testkit.device.ArrayDevice;
import ext4.testkit.device.FailingDevice;
import ext4.testkit.device.RecordingDevice;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A device that records and can fail, and journals on it that are closed after each test. */
public abstract class JournalCase {
    /** No commit by itself, flushes, and memory that no test fills. */
    static final JournalOptions OPTIONS = new JournalOptions(600_000, true, 1 << 20);

    RecordingDevice device;
    FailingDevice failing;
    ModelHost host;
    byte[] image;
    private final List<Journal> opened = new ArrayList<>();
    private Set<Thread> before;

    /** The provider under test: a new one at each call, or always the same. */
    protected abstract JournalProvider provider();

    @BeforeEach
    void makeImage() {
        image = ModelHost.image();
        failing = new FailingDevice(new ArrayDevice(image));
        device = new RecordingDevice(failing);
        device.start();
        host = new ModelHost(device);
        if (before == null) {
            before = Threads.others();
        }
    }

    @AfterEach
    void closeAll() {
        failing.heal();
        opened.forEach(Journal::close);
        Set<Thread> left = new HashSet<>(Threads.others());
        left.removeAll(before);
        assertEquals(Set.of(), left, "threads that outlive their journals");
    }

    Journal open() {
        return open(OPTIONS);
    }

    Journal open(JournalOptions options) {
        Journal journal = provider().open(host, options);
        opened.add(journal);
        return journal;
    }

    static Handle start(Journal journal, int credits) {
        return journal.start(HandleKind.INODE, credits, 0);
    }

    /** Gives each block the value in one transaction and returns its number. */
    static long change(Journal journal, long value, ModelBlock... blocks) {
        try (Handle handle = start(journal, blocks.length)) {
            for (ModelBlock block : blocks) {
                Content.fill(handle.write(block), block.pblk(), value);
            }
            return handle.tid();
        }
    }

    /** The value that the block has in its place on the device. */
    long onDisk(ModelBlock block) {
        return value(image, block);
    }

    static long value(byte[] bytes, ModelBlock block) {
        return Content.value(bytes, block.pblk() * ModelHost.BLOCK);
    }

    /** The value that the block has after a crash now, with all that was written, and recovery. */
    long recovered(ModelBlock block) {
        return value(crashedAndRecovered(image.clone()), block);
    }

    /** {@code bytes}, recovered in place. */
    byte[] crashedAndRecovered(byte[] bytes) {
        provider().recover(host.on(new ArrayDevice(bytes)));
        return bytes;
    }

    /** What a journal leaves behind of a block when it is closed: nothing. */
    static void assertLetGo(ModelBlock... blocks) {
        for (ModelBlock block : blocks) {
            assertEquals(0, block.pins(), "pins of block " + block.pblk());
            assertNull(block.journalState(), "journal state of block " + block.pblk());
        }
    }
}
