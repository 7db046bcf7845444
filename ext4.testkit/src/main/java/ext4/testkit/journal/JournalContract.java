// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * What every journal must keep, with a log or without one, as tests: a provider's own test class extends this and says what
 * it is. One with a log extends {@link LoggedJournalContract}.
 */
public abstract class JournalContract extends JournalCase {
    /** The barrier, and what closes behind it. */
    @Nested
    class Barriers extends BarrierTests {
        @Override
        protected JournalProvider provider() {
            return JournalContract.this.provider();
        }
    }

    /** What a failure does. */
    @Nested
    class Failures extends AbortTests {
        @Override
        protected JournalProvider provider() {
            return JournalContract.this.provider();
        }
    }

    @Test
    void saysWhetherItHasALog() {
        assertEquals(provider().journals(), open().journals());
    }

    @Test
    void aHandleDoesNotNest() {
        Journal journal = open();
        try (Handle handle = start(journal, 2)) {
            assertThrows(IllegalStateException.class, () -> start(journal, 1));
            assertThrows(IllegalStateException.class, journal::commitRunning);
            assertThrows(IllegalStateException.class, journal::lockUpdates);
            assertEquals(2, handle.credits());
        }
        start(journal, 1).close();
    }

    @Test
    void aHandleHasNoMoreBlocksThanCredits() {
        Journal journal = open();
        ModelBlock first = host.block(700);
        ModelBlock second = host.block(701);
        try (Handle handle = start(journal, 1)) {
            byte[] data = handle.write(first);
            assertSame(data, first.data(), "what is to be modified is the current version");
            assertEquals(0, handle.credits());
            assertSame(data, handle.write(first), "the second write of a block is free");
            assertThrows(IllegalStateException.class, () -> handle.write(second));
            assertTrue(handle.extend(1));
            assertEquals(1, handle.credits());
            assertNotNull(handle.write(second));
        }
        assertThrows(IllegalArgumentException.class, () -> start(journal, journal.maxCredits() + 1));
        assertThrows(IllegalArgumentException.class, () -> start(journal, -1));
    }

    @Test
    void creditsThatWereNotUsedGoBack() {
        Journal journal = open();
        for (int i = 0; i < 20; i++) {
            try (Handle handle = start(journal, journal.maxCredits() - 1)) {
                assertTrue(handle.credits() >= journal.maxCredits() - 1);
            }
        }
        Handle handle = start(journal, 1);
        handle.close();
        handle.close();
        start(journal, 1).close();
    }

    @Test
    void theLargestHandleFitsThoughOthersHoldCredits() {
        Journal journal = open();
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        ModelBlock block = host.block(700);
        CompletableFuture<Void> other = Threads.async(() -> {
            try (Handle handle = start(journal, 5)) {
                handle.write(block);
                started.countDown();
                Threads.await(end);
            }
        });
        Threads.await(started);
        CompletableFuture<Void> large =
                Threads.async(() -> start(journal, journal.maxCredits()).close());
        end.countDown();
        Threads.join(other);
        Threads.join(large);
    }

    /** What is part of the transaction can be told without a pin, or the journal says that it cannot tell. */
    @Test
    void aJoinedBlockIsWrittenWithoutACredit() {
        Journal journal = open();
        ModelBlock block = host.block(700);
        try (Handle handle = start(journal, 1)) {
            assertNull(handle.writeJoined(block));
            byte[] data = handle.write(block);
            byte[] joined = handle.writeJoined(block);
            if (joined != null) {
                assertSame(data, joined);
            }
            assertEquals(0, handle.credits());
        }
    }

    @Test
    void anEmptyTransactionIsNotWritten() {
        Journal journal = open();
        int before = device.position();
        long tid;
        try (Handle handle = start(journal, 3)) {
            tid = handle.tid();
            assertEquals(tid, journal.runningTid());
        }
        journal.commit(tid);
        journal.commitRunning();
        assertTrue(journal.durableTid() >= tid);
        assertTrue(journal.runningTid() > journal.durableTid());
        assertEquals(before, device.position(), "writes and flushes");
    }

    /** The orphan list first, then the host, on one thread and with one handle, which has what was kept for it. */
    @Test
    void closingComesOnceForEachTransaction() {
        Journal journal = open();
        ModelBlock clock = host.block(ModelHost.DATA_AT);
        ModelBlock more = host.block(701);
        ClockOrphans orphans = new ClockOrphans(clock);
        journal.orphans(orphans);
        List<Long> closed = new ArrayList<>();
        host.closing = handle -> {
            assertEquals(closed.size() + 1, orphans.closings.get(), "after the orphan list");
            assertSame(orphans, handle.orphans());
            Content.fill(handle.write(more), more.pblk(), handle.tid());
            closed.add(handle.tid());
        };
        long tid;
        try (Handle handle = journal.start(HandleKind.NAMESPACE, 1, 1)) {
            handle.reserveForClosing(1);
            handle.orphans().add(handle, 12);
            assertEquals(0, handle.credits());
            tid = handle.tid();
        }
        journal.commitRunning();
        assertEquals(List.of(tid), closed, "a transaction with only pending orphans is not empty");
        journal.close();
        assertEquals(tid, onDisk(clock));
        assertEquals(tid, onDisk(more));
    }

    @Test
    void theHostIsToldInOrderBeforeWhoWaits() {
        Journal journal = open();
        List<Long> told = Collections.synchronizedList(new ArrayList<>());
        host.committed = told::add;
        ModelBlock block = host.block(700);
        for (int i = 1; i <= 20; i++) {
            long tid = change(journal, i, block);
            journal.commit(tid);
            assertTrue(told.getLast() >= tid && journal.durableTid() >= tid, "transaction " + tid);
        }
        assertEquals(told.stream().sorted().distinct().toList(), told);
        journal.commit(told.getFirst());
    }

    @Test
    void aCommitWaitsForOpenHandlesAndARestartLetsItGo() {
        Journal journal = open();
        ModelBlock block = host.block(700);
        Handle handle = start(journal, 1);
        long tid = handle.tid();
        Content.fill(handle.write(block), 700, 1);
        Thread waiter = Threads.of(() -> journal.commit(tid));
        waiter.start();
        Threads.awaitBlocked(waiter);
        assertTrue(journal.durableTid() < tid, "durable although a handle is open");
        handle.restart(2, 0);
        assertTrue(handle.tid() >= tid);
        assertEquals(2, handle.credits());
        Content.fill(handle.write(block), 700, 2);
        handle.close();
        join(waiter);
        assertTrue(journal.durableTid() >= tid);
        journal.close();
        assertEquals(2, onDisk(block));
    }

    static void join(Thread thread) {
        try {
            thread.join(60_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertFalse(thread.isAlive(), "still waits");
    }

    /** What runs is not written by a checkpoint, nor changed under one that writes an older version. */
    @Test
    void aCheckpointWritesWhatIsDurableOnly() {
        Journal journal = open();
        ModelBlock block = host.block(700);
        ModelBlock other = host.block(701);
        journal.commit(change(journal, 1, block));
        change(journal, 2, block, other);
        journal.checkpoint();
        byte[] found = Arrays.copyOfRange(image, 700 * ModelHost.BLOCK, 701 * ModelHost.BLOCK);
        assertArrayEquals(Content.sealed(ModelHost.BLOCK, 700, 1), found, "the version of the transaction, sealed");
        assertEquals(0, onDisk(other));
        journal.close();
        assertEquals(2, onDisk(block));
        assertEquals(2, onDisk(other));
    }

    @Test
    void aBlockThatIsToBeWrittenStaysInMemory() {
        Journal journal = open();
        ModelBlock block = host.block(700);
        change(journal, 1, block);
        assertTrue(block.pins() > 0, "pinned while its transaction runs");
        journal.commitRunning();
        assertTrue(block.pins() > 0 || onDisk(block) == 1, "pinned, or in its place");
        journal.checkpoint();
        assertEquals(1, onDisk(block));
        journal.close();
        assertLetGo(block);
    }

    /** Data that is written past the journal to a freed block stays, whatever the journal still has of it. */
    @Test
    void aFreedBlockIsNeverWrittenAfterItsFreeingIsDurable() {
        Journal journal = open();
        ModelBlock block = host.block(700);
        journal.commit(change(journal, 1, block));
        try (Handle handle = start(journal, 1)) {
            Content.fill(handle.write(host.block(701)), 701, 2);
            handle.forget(700, block);
        }
        journal.commitRunning();
        assertEquals(0, block.pins(), "let go");
        device.write(700L * ModelHost.BLOCK, ByteBuffer.wrap(Content.sealed(ModelHost.BLOCK, 700, 99)));
        journal.checkpoint();
        journal.close();
        assertEquals(99, onDisk(block));
        assertLetGo(block);
    }

    @Test
    void aCheckpointMayComeBetweenAFreeingAndItsCommit() {
        Journal journal = open();
        ModelBlock block = host.block(700);
        journal.commit(change(journal, 1, block));
        try (Handle handle = start(journal, 1)) {
            handle.forget(700, block);
        }
        journal.checkpoint();
        journal.commitRunning();
        journal.commit(change(journal, 2, host.block(701)));
        journal.close();
        assertNull(journal.abortCause());
        assertEquals(1, onDisk(block));
        assertLetGo(block);
    }

    @Test
    void aBlockFreedInItsFirstTransactionIsNeverWritten() {
        Journal journal = open();
        ModelBlock block = host.block(700);
        ModelBlock back = host.block(702);
        try (Handle handle = start(journal, 3)) {
            Content.fill(handle.write(block), 700, 1);
            handle.forget(700, block);
            Content.fill(handle.write(back), 702, 1);
            handle.forget(702, back);
            Content.fill(handle.write(back), 702, 2);
        }
        journal.close();
        assertEquals(0, onDisk(block));
        assertEquals(2, onDisk(back), "freed and taken again");
        assertLetGo(block, back);
    }

    @Test
    void theIntervalCommits() {
        CountDownLatch committed = new CountDownLatch(1);
        host.committed = tid -> committed.countDown();
        Journal journal = open(new JournalOptions(10, true, 1 << 20));
        change(journal, 1, host.block(700));
        Threads.await(committed);
        assertTrue(journal.durableTid() > 0);
    }

    @Test
    void manyThreadsEndInTheStateOfTheLastTransaction() throws Exception {
        long seed = Long.getLong("ext4.seed", System.nanoTime());
        String what = "seed " + seed + " (-Dext4.seed)";
        History history = new History();
        Journal journal = open(new JournalOptions(20, true, 200L * ModelHost.BLOCK));
        JournalLoad load = new JournalLoad(host, device, journal, history);
        load.run(3, 1000, 40, seed);
        long last = journal.runningTid();
        journal.close();
        history.check(image, last, what);
        load.blocks.forEach(block -> assertLetGo(block));
    }

    @Test
    void countersHaveNamesAndAnOrder() {
        Journal journal = open();
        List<String> names = List.copyOf(journal.counters().keySet());
        assertFalse(names.isEmpty());
        change(journal, 1, host.block(700));
        journal.commitRunning();
        assertEquals(names, List.copyOf(journal.counters().keySet()));
    }
}
