// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.api.journal.Barrier;
import ext4.api.journal.Handle;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalClosedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The barrier, behind which a part of a mounted filesystem is replaced, the journal itself too. */
abstract class BarrierTests extends JournalCase {
    private static final int THREADS = 4;
    private static final int SUCCESSIONS = 30;

    @Test
    void theBarrierKeepsHandlesOutButNotItsOwn() {
        Journal journal = open();
        ClockOrphans first = new ClockOrphans(host.block(ModelHost.DATA_AT));
        ClockOrphans second = new ClockOrphans(host.block(ModelHost.DATA_AT));
        journal.orphans(first);
        CompletableFuture<Void> other;
        try (Barrier barrier = journal.lockUpdates()) {
            assertThrows(IllegalStateException.class, () -> start(journal, 1));
            assertThrows(IllegalStateException.class, journal::lockUpdates);
            other = Threads.async(() -> {
                try (Handle handle = start(journal, 1)) {
                    assertSame(second, handle.orphans());
                }
            });
            Handle own = barrier.handle();
            assertSame(own, barrier.handle());
            assertSame(first, own.orphans());
            own.write(host.block(700));
            barrier.publish(second);
            assertSame(second, own.orphans());
            assertThrows(IllegalStateException.class, journal::commitRunning);
            own.close();
            journal.commitRunning();
            assertFalse(other.isDone(), "a handle started behind the barrier");
        }
        Threads.join(other);
        assertEquals(0, first.closings.get());
        assertEquals(1, second.closings.get());
    }

    @Test
    void theBarrierWaitsForHandlesAndItsHandleIsClosedWithIt() {
        Journal journal = open();
        ModelBlock block = host.block(700);
        Handle open = start(journal, 1);
        AtomicBoolean raised = new AtomicBoolean();
        Thread locker = Threads.of(() -> {
            try (Barrier barrier = journal.lockUpdates()) {
                raised.set(true);
                Content.fill(barrier.handle().write(block), 700, 7);
            }
        });
        locker.start();
        Threads.awaitBlocked(locker);
        assertFalse(raised.get(), "raised although a handle is open");
        open.close();
        JournalContract.join(locker);
        assertTrue(raised.get());
        journal.commitRunning();
        journal.close();
        assertEquals(7, onDisk(block));
    }

    /** As a core does it: the successor is in place before the barrier falls. */
    private Journal replace(Journal old, AtomicReference<Journal> current) {
        try (Barrier barrier = old.lockUpdates()) {
            old.close();
            host.newestTid = old.runningTid();
            Journal next = open();
            current.set(next);
            return next;
        }
    }

    @Test
    @SuppressWarnings("ReferenceEquality") // that journal, not one like it
    void whoWaitedToStartOrToRestartIsToldThatItClosed() {
        Journal journal = open();
        AtomicReference<Journal> current = new AtomicReference<>(journal);
        AtomicBoolean early = new AtomicBoolean();
        Handle open = start(journal, 1);
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Void> locker = Threads.async(() -> {
            begun.countDown();
            try (Barrier barrier = journal.lockUpdates()) {
                CompletableFuture<Void> starter = Threads.async(() -> {
                    assertThrows(JournalClosedException.class, () -> start(journal, 1));
                    early.compareAndSet(false, current.get() == journal);
                });
                journal.close();
                host.newestTid = journal.runningTid();
                current.set(open());
                barrier.close();
                Threads.join(starter);
            }
        });
        Threads.await(begun);
        while (true) {
            try {
                open.restart(1, 0); // goes on until the barrier is raised
            } catch (JournalClosedException e) {
                early.compareAndSet(false, current.get() == journal);
                break;
            }
        }
        open.close();
        Threads.join(locker);
        assertFalse(early.get(), "told before its successor was there");
        ModelBlock block = host.block(700);
        current.get().commit(change(current.get(), 1, block));
    }

    @Test
    void aClosedJournalHoldsNothingAndAnswers() {
        Journal journal = open();
        ClockOrphans orphans = new ClockOrphans(host.block(ModelHost.DATA_AT));
        journal.orphans(orphans);
        ModelBlock block = host.block(700);
        ModelBlock freed = host.block(701);
        journal.commit(change(journal, 1, block));
        journal.commit(change(journal, 1, freed));
        List<Long> committed = new ArrayList<>();
        host.committed = committed::add;
        long tid = change(journal, 2, block);
        try (Handle handle = start(journal, 1)) {
            handle.forget(701, freed);
        }
        Barrier barrier = journal.lockUpdates();
        Handle own = barrier.handle();
        assertThrows(IllegalStateException.class, journal::close, "with the barrier's handle open");
        own.close();
        long closings = orphans.closings.get();
        journal.close();
        assertEquals(closings + 1, orphans.closings.get(), "the last commit closes the list");
        assertTrue(committed.contains(tid), "what it freed is settled");
        assertLetGo(block, freed);
        assertEquals(2, onDisk(block));
        int events = device.position();
        barrier.close();
        barrier.close();
        assertThrows(JournalClosedException.class, () -> start(journal, 1));
        assertThrows(JournalClosedException.class, journal::lockUpdates);
        journal.commit(tid);
        journal.commit(journal.runningTid());
        journal.commitRunning();
        journal.checkpoint();
        journal.abort(new IllegalStateException("the log is another's"));
        assertNull(journal.abortCause());
        assertEquals(0, host.abortCalls);
        journal.close();
        assertEquals(events, device.position(), "nothing is written after it is closed");
    }

    @Test
    void whoWaitsForACommitReturnsWhenTheJournalCloses() {
        Journal journal = open();
        ModelBlock block = host.block(700);
        long tid = change(journal, 7, block);
        List<Thread> waiters = List.of(
                Threads.of(() -> {
                    journal.commit(tid);
                    assertEquals(7, recovered(block), "returned before it was durable");
                }),
                Threads.of(journal::commitRunning));
        try (Barrier barrier = journal.lockUpdates()) {
            Handle open = barrier.handle();
            waiters.forEach(Thread::start);
            waiters.forEach(Threads::awaitBlocked);
            assertTrue(journal.durableTid() < tid);
            open.close();
            journal.close();
        }
        waiters.forEach(JournalContract::join);
        assertEquals(7, onDisk(block));
    }

    @Test
    void transactionNumbersGoOn() {
        Journal first = open();
        ModelBlock block = host.block(700);
        long older = change(first, 1, block);
        for (int i = 0; i < 5; i++) {
            first.commitRunning();
        }
        long newer = change(first, 2, block);
        assertTrue(newer > older);
        Journal second = replace(first, new AtomicReference<>());
        assertTrue(second.durableTid() >= newer);
        assertTrue(second.runningTid() > first.runningTid());
        int events = device.position();
        second.commit(newer);
        second.commit(first.runningTid());
        assertEquals(events, device.position(), "what the old one committed is durable");
        long tid = change(second, 3, block);
        assertTrue(tid > newer);
        second.commit(tid);
        assertEquals(3, recovered(block));
    }

    /** Threads that change blocks under handles and restarts meet one journal after the other and lose nothing. */
    @Test
    void startersAndRestartersGoOnWithTheSuccessor() {
        AtomicReference<Journal> current = new AtomicReference<>(open());
        AtomicBoolean end = new AtomicBoolean();
        List<ModelBlock> blocks = new ArrayList<>();
        List<AtomicInteger> values = new ArrayList<>();
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            ModelBlock block = host.block(ModelHost.DATA_AT + t);
            AtomicInteger value = new AtomicInteger();
            blocks.add(block);
            values.add(value);
            threads.add(Threads.async(() -> {
                while (!end.get()) {
                    changeTwice(current, block, value);
                }
            }));
        }
        try {
            for (int i = 0; i < SUCCESSIONS; i++) {
                int sum = sum(values);
                while (sum(values) < sum + 2 * THREADS && threads.stream().noneMatch(CompletableFuture::isDone)) {
                    Thread.onSpinWait();
                }
                replace(current.get(), current);
            }
        } finally {
            end.set(true);
            threads.forEach(Threads::join);
        }
        current.get().close();
        for (int t = 0; t < THREADS; t++) {
            assertEquals(values.get(t).get(), onDisk(blocks.get(t)));
            assertLetGo(blocks.get(t));
        }
        assertEquals(0, provider().recover(host).transactions());
    }

    private static int sum(List<AtomicInteger> values) {
        return values.stream().mapToInt(AtomicInteger::get).sum();
    }

    /** One change under a start, one after a restart, and now and then a wait for the commit. */
    private static void changeTwice(AtomicReference<Journal> current, ModelBlock block, AtomicInteger value) {
        Handle handle = null;
        Journal journal = null;
        while (handle == null) {
            journal = current.get();
            try {
                handle = start(journal, 1);
            } catch (JournalClosedException e) {
                Thread.onSpinWait(); // the successor is there, or is there at once
            }
        }
        fill(handle, block, value);
        try {
            handle.restart(1, 0);
            fill(handle, block, value);
        } catch (JournalClosedException e) {
            handle.close(); // closed already, and closed again
        } finally {
            handle.close();
        }
        if (value.get() % 16 == 0) {
            journal.commitRunning();
        }
    }

    private static void fill(Handle handle, ModelBlock block, AtomicInteger value) {
        Content.fill(handle.write(block), block.pblk(), value.get() + 1);
        value.incrementAndGet();
    }
}
