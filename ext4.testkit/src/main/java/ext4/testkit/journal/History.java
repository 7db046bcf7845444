// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.journal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** What each block holds after each transaction, and which transaction was durable at which event of the device. */
final class History {
    /** What a block is. */
    enum Kind {
        META,
        DATA,
        FREE
    }

    /** A block after a transaction. */
    record State(Kind kind, long value) {}

    private record Durable(int position, long tid) {}

    private final List<TreeMap<Long, State>> blocks = new ArrayList<>();
    private final List<Durable> durable = new ArrayList<>(); // guarded by this

    History() {
        for (int i = 0; i < ModelHost.DATA; i++) {
            blocks.add(new TreeMap<>());
        }
    }

    /** The caller holds the lock of that block. */
    void put(long tid, long pblk, State state) {
        TreeMap<Long, State> history = blocks.get((int) (pblk - ModelHost.DATA_AT));
        synchronized (history) {
            history.put(tid, state);
        }
    }

    synchronized void durable(int position, long tid) {
        durable.add(new Durable(position, tid));
    }

    /** The newest transaction known to be durable when the device had seen {@code position} events. */
    synchronized long acknowledged(int position) {
        long tid = 0;
        for (Durable each : durable) {
            if (each.position <= position) {
                tid = Math.max(tid, each.tid);
            }
        }
        return tid;
    }

    /** The newest transaction up to {@code tid} that changed a block. */
    long newestWritten(long tid) {
        long newest = 0;
        for (TreeMap<Long, State> history : blocks) {
            Long written = history.floorKey(tid);
            newest = Math.max(newest, written == null ? 0 : written);
        }
        return newest;
    }

    /** Compares a device with the state after transaction {@code tid}. */
    void check(byte[] device, long tid, String when) {
        for (int i = 0; i < blocks.size(); i++) {
            long pblk = (long) ModelHost.DATA_AT + i;
            if (i == 0) {
                continue; // the clock
            }
            var entry = blocks.get(i).floorEntry(tid);
            State state = entry == null ? new State(Kind.META, 0) : entry.getValue();
            if (state.kind == Kind.FREE) {
                continue;
            }
            int at = (int) pblk * ModelHost.BLOCK;
            byte[] found = Arrays.copyOfRange(device, at, at + ModelHost.BLOCK);
            if (!Arrays.equals(found, Content.sealed(ModelHost.BLOCK, pblk, state.value))) {
                throw new AssertionError(when + ": after transaction " + tid + " block " + pblk + " should be " + state
                        + " but holds value " + Content.value(found, 0) + "; its history " + blocks.get(i));
            }
        }
    }
}
