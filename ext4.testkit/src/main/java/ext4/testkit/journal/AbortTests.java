// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Barrier;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.orphan.OrphanList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A journal that aborted writes nothing more, says why, and leaves what is durable for recovery. */
abstract class AbortTests extends JournalCase {
    private static final int OPERATIONS = 14;

    private static void assertReadOnly(Executable start) {
        ErrnoException refusal = assertThrows(ErrnoException.class, start);
        assertEquals(Errno.EROFS, refusal.errno());
    }

    @Test
    void anAbortStopsWritingAndIsToldOnce() {
        Journal journal = open();
        ModelBlock block = host.block(700);
        journal.commit(change(journal, 1, block));
        Handle waiting = start(journal, 1);
        waiting.write(block)[100] = 1;
        IllegalStateException cause = new IllegalStateException("on purpose");
        journal.abort(cause);
        journal.abort(new IllegalStateException("again"));
        assertFalse(waiting.extend(1));
        assertReadOnly(() -> waiting.restart(1, 0));
        waiting.close();
        assertReadOnly(() -> start(journal, 1));
        DeviceException refusal = assertThrows(DeviceException.class, journal::commitRunning);
        assertSame(cause, refusal.getCause());
        assertThrows(DeviceException.class, journal::checkpoint);
        assertSame(cause, journal.abortCause());
        assertSame(cause, host.aborted);
        assertEquals(1, host.abortCalls);
        int before = device.position();
        journal.close();
        assertEquals(before, device.position(), "written after the abort");
        assertLetGo(block);
        assertReadOnly(() -> start(journal, 1));
        assertEquals(1, recovered(block), "what was durable");
    }

    @Test
    void whoWaitsIsToldOfTheAbort() {
        Journal journal = open();
        IllegalStateException cause = new IllegalStateException("on purpose");
        Thread committer;
        CompletableFuture<Void> starter;
        try (Barrier barrier = journal.lockUpdates()) {
            Content.fill(barrier.handle().write(host.block(700)), 700, 1);
            committer = Threads.of(() -> assertThrows(DeviceException.class, journal::commitRunning));
            committer.start();
            starter = Threads.async(() -> assertReadOnly(() -> start(journal, 1)));
            Threads.awaitBlocked(committer);
            journal.abort(cause);
        }
        Threads.join(starter);
        JournalContract.join(committer);
        try (Barrier barrier = journal.lockUpdates()) {
            barrier.publish(new ClockOrphans(host.block(ModelHost.DATA_AT))); // a strategy is replaced all the same
        }
        journal.close();
    }

    @Test
    void aThrowOfTheHostInClosingAborts() {
        Journal journal = open();
        IllegalStateException cause = new IllegalStateException("closing");
        host.closing = handle -> {
            throw cause;
        };
        assertNothingCommitted(journal, cause);
    }

    @Test
    void aThrowOfTheOrphanListInClosingAborts() {
        Journal journal = open();
        IllegalStateException cause = new IllegalStateException("closing");
        OrphanList list = new ClockOrphans(host.block(ModelHost.DATA_AT)) {
            @Override
            public void closing(Handle handle) {
                throw cause;
            }
        };
        journal.orphans(list);
        assertNothingCommitted(journal, cause);
    }

    private void assertNothingCommitted(Journal journal, Throwable cause) {
        ModelBlock block = host.block(700);
        long tid = change(journal, 1, block);
        DeviceException failure = assertThrows(DeviceException.class, () -> journal.commit(tid));
        assertSame(cause, failure.getCause());
        assertReadOnly(() -> journal.start(HandleKind.SUPER, 1, 0));
        assertTrue(journal.durableTid() < tid);
        journal.close();
        assertEquals(1, host.abortCalls);
        assertEquals(0, onDisk(block));
        assertEquals(0, recovered(block));
        assertLetGo(block);
    }

    @Test
    void aDeviceErrorAtAnyOperationAborts() {
        for (int at = 0; at < OPERATIONS; at++) {
            makeImage();
            Journal journal = open();
            ModelBlock block = host.block(700);
            journal.commit(change(journal, 1, block));
            failing.failIn(at, false);
            boolean failed = false;
            boolean acknowledged = false;
            try {
                journal.commit(change(journal, 2, block));
                acknowledged = true;
                journal.close();
            } catch (DeviceException e) {
                failed = true;
            }
            String when = "failing from operation " + at + " on";
            assertEquals(failed, journal.abortCause() != null, when);
            failing.heal();
            journal.close();
            assertEquals(failed ? 1 : 0, host.abortCalls, when);
            assertLetGo(block);
            provider().recover(host);
            long found = onDisk(block);
            assertTrue(found == 2 || found == 1 && !acknowledged, when + ": " + found);
        }
    }

    /** The last commit, behind the barrier: it aborts if the device fails, and never says that all is well. */
    @Test
    void aDeviceErrorInClosingAborts() {
        boolean failed = true;
        for (int at = 0; failed; at++) {
            makeImage();
            Journal journal = open();
            ModelBlock block = host.block(700);
            journal.commit(change(journal, 1, block));
            long tid = change(journal, 2, block);
            failing.failIn(at, true);
            failed = false;
            try (Barrier barrier = journal.lockUpdates()) {
                journal.close();
            } catch (DeviceException e) {
                failed = true;
            }
            failing.heal();
            String when = "failing in operation " + at;
            assertEquals(failed, journal.abortCause() != null, when);
            if (failed) {
                assertReadOnly(() -> start(journal, 1));
                provider().recover(host);
                assertTrue(onDisk(block) == 2 || onDisk(block) == 1 && journal.durableTid() < tid, when);
            } else {
                assertEquals(2, onDisk(block), when);
            }
            assertLetGo(block);
        }
    }
}
