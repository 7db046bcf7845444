// SPDX-License-Identifier: Apache-2.0
package ext4.journal.engine;

import ext4.api.journal.HandleKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What one claim of the {@link HandleGate} owns: credits in store, and the blocks that handles running here joined to the
 * transaction. Plain fields: they belong to the thread that claimed the slot, and, while no handle is open, to the thread
 * that locked the gate; the gate's words order the two.
 */
final class Slot extends Apart {
    private static final BlockState[] NONE = {};
    /** Longs of a cache line. */
    private static final int ROOM = 8;

    /** Number in the gate, or -1 for the slots of the barrier and of closing, which never pass it. */
    final int index;

    /** The thread with a handle open here, or null; others read it racily, only to compare it with themselves. */
    Thread owner;

    /** The transaction that the rest of this object is about; null after {@link #harvest}. */
    Transaction tx;

    /** Credits granted by {@link #tx} that no handle holds. */
    int pool;

    /** Credits that handles moved to the closing of {@link #tx}. */
    int closing;

    private BlockState[] joined = NONE;
    private int joinedCount;
    private List<BlockState> forgotten = List.of();

    /** Handles started here, by kind, behind a cache line that keeps other slots' numbers away; read racily. */
    private final long[] started = new long[ROOM + HandleKind.values().length];

    /** Versions copied because the old one was frozen; read racily for counters. */
    long copies;

    /** Starts and extensions that had to ask the transaction for credits; read racily for counters. */
    long refills;

    Slot(int index) {
        this.index = index;
    }

    /** Counts a handle started here. */
    void started(HandleKind kind) {
        started[ROOM + kind.ordinal()]++;
    }

    /** Handles started here of the kind with this ordinal. */
    long startedOf(int kind) {
        return started[ROOM + kind];
    }

    /** Takes credits for a handle of {@code t}; false if the transaction has no room. */
    boolean take(Transaction t, int credits) {
        if (tx != t) {
            begin(t);
        }
        if (pool < credits && !refill(credits)) {
            return false;
        }
        pool -= credits;
        return true;
    }

    /** Gives back what a handle did not use; a large rest goes to the transaction, where others can take it. */
    void giveBack(int credits) {
        int rest = pool + credits;
        int keep = 2 * tx.batch();
        if (rest > keep) {
            tx.giveBack(rest - keep);
            rest = keep;
        }
        pool = rest;
    }

    void add(BlockState state) {
        if (joinedCount == joined.length) {
            joined = Arrays.copyOf(joined, Math.max(16, joinedCount * 2));
        }
        joined[joinedCount++] = state;
    }

    void forget(BlockState state) {
        if (forgotten.isEmpty()) {
            forgotten = new ArrayList<>();
        }
        forgotten.add(state);
    }

    /** Moves everything to {@code into} and returns the credits left here. The gate is locked. */
    int harvest(Transaction t, FrozenTransaction into) {
        if (tx != t) {
            return 0;
        }
        into.collect(joined, joinedCount, forgotten);
        Arrays.fill(joined, 0, joinedCount, null);
        if (joined.length > 1024) {
            joined = NONE;
        }
        int credits = pool + closing;
        joinedCount = 0;
        forgotten = List.of();
        pool = 0;
        closing = 0;
        tx = null;
        return credits;
    }

    private void begin(Transaction t) {
        tx = t;
        pool = 0;
        closing = 0;
        t.used();
    }

    private boolean refill(int credits) {
        refills++;
        int granted = tx.grant(credits - pool);
        pool += granted;
        return granted > 0;
    }
}
