// SPDX-License-Identifier: Apache-2.0
package ext4.journal.engine;

import java.util.concurrent.atomic.AtomicInteger;

/** The transaction that handles join. Shared by all slots, which touch it once a batch of credits. */
final class Transaction {
    /** Batches a transaction's room is granted in, so that idle slots can't hold much of it. */
    private static final int BATCHES = 128;

    private final long tid;
    private final int size;
    private final int batch;
    private final CommitSink sink;

    /** Credits not granted yet. */
    private final AtomicInteger room;

    /** Blocks freed in this transaction whose older copies must not be replayed. */
    final RevokeSet revokes = new RevokeSet();

    /** When the first handle joined, System.nanoTime() | 1; 0 while none has. Any of several first writers may win. */
    private volatile long usedSince;

    Transaction(long tid, int size, CommitSink sink) {
        this.tid = tid;
        this.size = size;
        this.batch = Math.max(1, size / BATCHES);
        this.sink = sink;
        this.room = new AtomicInteger(size);
    }

    long tid() {
        return tid;
    }

    /** Credits granted at a time, at least. */
    int batch() {
        return batch;
    }

    /** Credits not granted. */
    int room() {
        return room.get();
    }

    void used() {
        if (usedSince == 0) {
            usedSince = System.nanoTime() | 1;
        }
    }

    /** 0 while no handle has joined. */
    long usedSince() {
        return usedSince;
    }

    /** Whether a start that finds no credits should wait for the commit of this transaction. */
    boolean lacks(int credits) {
        return room.get() < credits;
    }

    /** At least {@code credits}, rounded up to a batch where there is room; 0 if there is not. */
    int grant(int credits) {
        if (!sink.admits()) {
            return 0;
        }
        for (int left = room.get(); left >= credits; left = room.get()) {
            int granted = Math.min(left, Math.max(credits, batch));
            if (room.compareAndSet(left, left - granted)) {
                return granted;
            }
        }
        return 0;
    }

    /** All credits that are left, for the handles that run alone: the barrier's and that of closing. */
    int grantRest() {
        return Math.max(0, room.getAndSet(0));
    }

    void giveBack(int credits) {
        room.addAndGet(credits);
    }

    /** Whether little is left, so that a commit should begin before handles have to wait for it. */
    boolean nearlyFull() {
        return room.get() < size / 4;
    }
}
