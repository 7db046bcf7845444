// SPDX-License-Identifier: Apache-2.0
package ext4.journal.log;

import ext4.format.jbd2.JournalSuperblock;
import ext4.journal.engine.BlockState;
import ext4.journal.engine.FrozenTransaction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The log as a ring: where the next transaction begins, which ones must still be recoverable, and the superblock that says
 * so. The superblock is written under this object's monitor; handles never take it.
 *
 * <p>The tail may pass a transaction when none of its versions waits: each is in its place and flushed, or a newer durable
 * transaction has the block or its freeing. So passing needs no flush before it, but one after it, before the room is used
 * again.
 */
final class LogRing {
    private final LogFile file;
    private final int first;
    private final int end;
    private final boolean barrier;
    private final ArrayDeque<LoggedTransaction> logged = new ArrayDeque<>(); // guarded by this
    private LoggedTransaction committing; // guarded by this
    private int head; // guarded by this
    private int used; // guarded by this
    private int nextSequence; // guarded by this
    private boolean emptyOnDisk = true; // guarded by this
    private boolean frozen; // guarded by this; the superblock is not written any more

    /** An empty log. */
    LogRing(LogFile file, boolean barrier) {
        this.file = file;
        this.barrier = barrier;
        this.first = file.first();
        this.end = file.end();
        int recorded = JournalSuperblock.head(file.superblock());
        this.head = recorded >= first && recorded < end ? recorded : first;
        this.nextSequence = JournalSuperblock.sequence(file.superblock());
    }

    /** Blocks of the ring. */
    int capacity() {
        return end - first;
    }

    synchronized int free() {
        return capacity() - used;
    }

    /** The log block {@code distance} blocks after {@code lblk}; distance is at most the capacity. */
    int after(int lblk, int distance) {
        int at = lblk + distance;
        return at < end ? at : at - capacity();
    }

    /** Whether the log on disk may hold a transaction before the one that begins next. */
    synchronized boolean hasOlder() {
        return !logged.isEmpty();
    }

    /** How many versions wait for checkpoint. */
    synchronized long waiting() {
        long sum = 0;
        for (LoggedTransaction each : logged) {
            sum += each.waiting().get();
        }
        return sum;
    }

    /** The next transaction begins at the head. From now on the superblock points to the log's tail. */
    synchronized LoggedTransaction begin(FrozenTransaction transaction) {
        committing = new LoggedTransaction(transaction, nextSequence, head);
        if (emptyOnDisk) {
            record(head, nextSequence);
            emptyOnDisk = false;
        }
        return committing;
    }

    /** The transaction is durable and its versions wait for checkpoint. */
    synchronized void complete(LoggedTransaction transaction, int blocks) {
        transaction.blocks(blocks);
        logged.add(transaction);
        committing = null;
        head = after(head, blocks);
        used += blocks;
        nextSequence++;
    }

    /** The oldest transactions with waiting versions, none newer than {@code newest}, until {@code blocks} are reached. */
    synchronized List<LoggedTransaction> oldest(int blocks, int newest) {
        List<LoggedTransaction> list = new ArrayList<>();
        int sum = 0;
        for (LoggedTransaction each : logged) {
            if (sum >= blocks || each.sequence() - newest > 0) {
                break;
            }
            sum += each.blocks();
            if (each.waiting().get() > 0) {
                list.add(each);
            }
        }
        return list;
    }

    /** Sequence number of the newest complete transaction. */
    synchronized int newest() {
        return nextSequence - 1;
    }

    /** Drops transactions that nothing waits for from the tail and records the new tail. */
    synchronized void reclaim() {
        if (frozen) {
            return;
        }
        boolean moved = false;
        int freed = 0;
        while (!logged.isEmpty() && logged.peek().waiting().get() == 0) {
            freed += logged.remove().blocks();
            moved = true;
        }
        if (moved) {
            LoggedTransaction tail = logged.isEmpty() ? committing : logged.peek();
            if (tail == null) {
                record(head, nextSequence);
            } else {
                record(tail.start(), tail.sequence());
            }
            used -= freed;
        }
    }

    /** Records an empty log, if it is empty. */
    synchronized void recordEmpty() {
        reclaim();
        if (frozen || emptyOnDisk || committing != null || !logged.isEmpty()) {
            return;
        }
        byte[] superblock = file.superblock();
        JournalSuperblock.setSequence(superblock, nextSequence);
        JournalSuperblock.setStart(superblock, 0);
        JournalSuperblock.setHead(superblock, head);
        file.writeSuperblock(true);
        emptyOnDisk = true;
    }

    /** After an abort: records the reason and never moves the tail again. */
    synchronized void recordError(int errno) {
        frozen = true;
        JournalSuperblock.setErrno(file.superblock(), errno);
        file.writeSuperblock(true);
    }

    /** Lets go of all versions without writing them; the superblock is not this object's any more. */
    synchronized void abandon() {
        frozen = true;
        for (LoggedTransaction each : logged) {
            for (BlockState state : each.states()) {
                state.abandon();
            }
        }
        logged.clear();
    }

    private void record(int start, int sequence) {
        byte[] superblock = file.superblock();
        JournalSuperblock.setSequence(superblock, sequence);
        JournalSuperblock.setStart(superblock, start);
        file.writeSuperblock(barrier);
    }
}
