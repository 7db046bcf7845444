// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.api.fs.CorruptException;
import ext4.api.journal.Handle;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalRecovery;
import ext4.testkit.device.ArrayDevice;
import ext4.testkit.device.DeviceEvent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a journal with a log must keep besides: what is durable is there after a crash, and nothing else. */
public abstract class LoggedJournalContract extends JournalContract {
    @Test
    void recoveryBringsBackWhatWasCommittedAndNothingElse() {
        Journal journal = open();
        ModelBlock block = host.block(700);
        ModelBlock other = host.block(701);
        journal.commit(change(journal, 1, block, other));
        journal.commit(change(journal, 2, block));
        change(journal, 3, block, other);
        byte[] crashed = image.clone();
        ModelHost again = host.on(new ArrayDevice(crashed));
        JournalRecovery first = provider().recover(again);
        assertTrue(first.transactions() <= 2, "transactions: " + first);
        assertEquals(2, value(crashed, block));
        assertEquals(1, value(crashed, other));
        JournalRecovery second = provider().recover(again);
        assertEquals(new JournalRecovery(0, 0, 0, first.nextSequence(), 0), second, "the log is empty now");
        provider().open(again, OPTIONS).close();
    }

    @Test
    void aLogThatHoldsSomethingIsNotOpened() {
        Journal journal = open();
        journal.commit(change(journal, 1, host.block(700)));
        journal.abort(new IllegalStateException("so that it stays"));
        journal.close();
        Set<Thread> before = Threads.others();
        assertThrows(CorruptException.class, this::open);
        assertEquals(before, Threads.others(), "threads of a journal that did not open");
        JournalRecovery recovery = provider().recover(host);
        assertNotEquals(0, recovery.recordedError(), "the abort is recorded in the log");
        assertEquals(0, provider().recover(host).transactions());
        Journal next = open();
        assertTrue(next.runningTid() > journal.durableTid(), "no number is used twice");
        next.close();
        assertEquals(0, provider().recover(host).recordedError(), "told once");
    }

    @Test
    void aClosedLogIsEmptyAndItsNumbersAreNotUsedAgain() {
        long newest = 0;
        for (int round = 0; round < 3; round++) {
            Journal journal = open();
            assertTrue(journal.runningTid() > newest, "round " + round);
            for (int i = 0; i < 5; i++) {
                newest = change(journal, 10 * round + i, host.block(700 + i));
                journal.commit(newest);
            }
            journal.close();
            byte[] before = image.clone();
            JournalRecovery recovery = provider().recover(host);
            assertEquals(0, recovery.transactions());
            assertTrue(Arrays.equals(before, image), "recovery of an empty log writes nothing");
        }
    }

    /** What a commit returned from is there although everything that was not flushed is lost. */
    @Test
    void aCommitReturnsWhenItIsDurable() {
        Journal journal = open();
        ModelBlock block = host.block(700);
        byte[] base = image.clone();
        int from = device.position();
        for (int value = 1; value <= 5; value++) {
            if (value == 3) {
                journal.checkpoint();
            }
            journal.commit(change(journal, value, block));
            List<DeviceEvent> events = device.events().subList(from, device.position());
            int flushed = lastFlush(events);
            assertEquals(value, value(crashedAndRecovered(apply(base.clone(), events.subList(0, flushed), -1)), block));
        }
    }

    /**
     * A device may write what was not flushed in any order: the state with any one of those writes missing recovers too, to
     * what was there before the transaction or to what is there after it, and never to a part of it.
     */
    @Test
    void eachWriteMayBeLostUntilItIsFlushed() {
        ModelBlock[] blocks = {host.block(700), host.block(710), host.block(720)};
        byte[] base = image.clone();
        Journal journal = open();
        for (int value = 1; value <= 4; value++) {
            journal.commit(change(journal, value, blocks));
            if (value == 2) {
                journal.checkpoint();
            }
        }
        journal.close();
        List<DeviceEvent> events = device.events();
        long least = 0;
        for (int at = 0; at <= events.size(); at++) {
            List<DeviceEvent> until = events.subList(0, at);
            int flushed = lastFlush(until);
            long whole = oneValue(base, until, -1, blocks);
            assertTrue(whole >= least, "after event " + at + ": " + whole + ", before " + least);
            least = whole;
            for (int lost = flushed; lost < at; lost++) {
                long found = oneValue(base, until, lost, blocks);
                assertTrue(found <= whole, "after event " + at + " without " + lost);
            }
        }
        assertEquals(4, least);
    }

    private long oneValue(byte[] base, List<DeviceEvent> events, int lost, ModelBlock... blocks) {
        byte[] crashed;
        String when = "after event " + events.size() + ", lost " + lost;
        try {
            crashed = crashedAndRecovered(apply(base.clone(), events, lost));
        } catch (RuntimeException e) {
            throw new AssertionError(when, e);
        }
        long value = value(crashed, blocks[0]);
        for (ModelBlock block : blocks) {
            assertEquals(value, value(crashed, block), when + ": block " + block.pblk());
        }
        return value;
    }

    /** The events but for the one that was lost. */
    static byte[] apply(byte[] bytes, List<DeviceEvent> events, int lost) {
        for (int i = 0; i < events.size(); i++) {
            if (i != lost && events.get(i) instanceof DeviceEvent.Write write) {
                System.arraycopy(write.data(), 0, bytes, (int) write.offset(), write.data().length);
            }
        }
        return bytes;
    }

    private static int lastFlush(List<DeviceEvent> events) {
        int flushed = 0;
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i) instanceof DeviceEvent.Flush) {
                flushed = i + 1;
            }
        }
        return flushed;
    }

    @Test
    void aFreedBlockIsNotReplayedOverItsNewUse() {
        Journal journal = open();
        ModelBlock block = host.block(700);
        journal.commit(change(journal, 1, block));
        try (Handle handle = start(journal, 1)) {
            handle.forget(700, block);
        }
        journal.commitRunning();
        device.write(700L * ModelHost.BLOCK, ByteBuffer.wrap(Content.sealed(ModelHost.BLOCK, 700, 99)));
        assertEquals(99, recovered(block), "data in a block that was metadata");
        journal.commit(change(journal, 2, host.block(701)));
        assertEquals(99, recovered(block));
    }

    @Test
    void aFreedBlockThatIsMetadataAgainIsReplayed() {
        Journal journal = open();
        ModelBlock block = host.block(700);
        journal.commit(change(journal, 1, block));
        try (Handle handle = start(journal, 1)) {
            handle.forget(700, block);
        }
        journal.commitRunning();
        ModelBlock again = host.block(700);
        journal.commit(change(journal, 3, again));
        assertEquals(3, recovered(again));
    }

    @Test
    void aBlockFreedAndTakenInOneTransactionIsReplayed() {
        Journal journal = open();
        ModelBlock block = host.block(700);
        journal.commit(change(journal, 1, block));
        try (Handle handle = start(journal, 1)) {
            handle.forget(700, block);
            Content.fill(handle.write(block), 700, 4);
        }
        journal.commitRunning();
        assertEquals(4, recovered(block), "the revoke is cancelled");
        journal.close();
        assertEquals(4, onDisk(block));
    }

    @Test
    void aFreedBlockIsKeptUntilTheFreeingIsDurable() {
        Journal journal = open();
        ModelBlock block = host.block(700);
        journal.commit(change(journal, 1, block));
        try (Handle handle = start(journal, 1)) {
            handle.forget(700, block);
        }
        assertEquals(1, recovered(block));
    }

    @Test
    void moreRevokesThanTheLogHoldsAreCommitted() {
        Journal journal = open();
        ModelBlock block = host.block(700);
        journal.commit(change(journal, 1, block));
        long tid;
        try (Handle handle = start(journal, 1)) {
            for (int i = 1; i <= 300_000; i++) {
                if (i != 700) {
                    handle.forget(i, null);
                }
            }
            Content.fill(handle.write(host.block(701)), 701, 1);
            tid = handle.tid();
        }
        journal.commit(tid);
        assertTrue(journal.durableTid() >= tid);
        assertEquals(1, recovered(block));
    }

    /** The log is a ring: many times its length of transactions, a crash after each of the last ones. */
    @Test
    void theLogGoesRound() {
        Journal journal = open();
        ModelBlock[] blocks = new ModelBlock[60];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = host.block(ModelHost.DATA_AT + i);
        }
        for (int round = 1; round <= 80; round++) {
            journal.commit(change(journal, round, blocks));
            if (round > 50) {
                byte[] crashed = crashedAndRecovered(image.clone());
                for (ModelBlock block : blocks) {
                    assertEquals(round, value(crashed, block), "block " + block.pblk());
                }
            }
        }
    }

    /** Blocks that begin like a control block of a log, or are nothing but zeros. */
    @Test
    void anyContentComesBack() {
        Journal journal = open();
        ModelBlock like = host.block(700);
        ModelBlock zeros = host.block(701);
        try (Handle handle = start(journal, 2)) {
            Content.fill(handle.write(like), 700, 7); // a multiple of 7 begins with the magic number of JBD2
            Arrays.fill(handle.write(zeros), (byte) 0);
        }
        journal.commitRunning();
        byte[] crashed = crashedAndRecovered(image.clone());
        assertEquals(7, value(crashed, like));
        assertEquals(0, value(crashed, zeros));
        byte[] expected = Content.sealed(ModelHost.BLOCK, 700, 7);
        for (int i = 0; i < ModelHost.BLOCK; i++) {
            assertEquals(expected[i], crashed[700 * ModelHost.BLOCK + i], "byte " + i);
        }
    }
}
