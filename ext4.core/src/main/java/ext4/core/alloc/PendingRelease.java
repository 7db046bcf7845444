// SPDX-License-Identifier: Apache-2.0
package ext4.core.alloc;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Blocks that were freed by transactions that are not durable. Using one again at once could destroy data that a crash
 * brings back. Each group that has some keeps a second bitmap in which they are still set; such a copy lives no longer
 * than the group's bitmap is held by the journal, so memory is bounded as the journal's is.
 */
public final class PendingRelease {
    private final GroupTable groups;
    private final AtomicLongArray marked;
    private final LongAdder blocks = new LongAdder();

    /** For these groups. */
    public PendingRelease(GroupTable groups) {
        this.groups = groups;
        marked = new AtomicLongArray((groups.count() + 63) / 64);
    }

    /** Keeps a run busy until {@code tid} is durable; {@code bitmap} still has it set. The group's lock is held. */
    void addLocked(Group group, byte[] bitmap, long tid, int start, int count) {
        if (group.busy == null) {
            group.busy = bitmap.clone();
        }
        PendingFrees last = group.pending;
        while (last != null && last.next != null) {
            last = last.next;
        }
        if (last == null || last.tid != tid) {
            PendingFrees fresh = new PendingFrees(tid);
            if (last == null) {
                group.pending = fresh;
            } else {
                last.next = fresh;
            }
            last = fresh;
            long bit = 1L << group.index;
            marked.getAndAccumulate(group.index >>> 6, bit, (old, one) -> old | one);
        }
        last.add(start, count);
        blocks.add(count);
    }

    /** The journal says: {@code tid} and all before it are durable. Takes group locks one by one. */
    public void committed(long tid) {
        for (int word = 0; word < marked.length(); word++) {
            for (long bits = marked.get(word); bits != 0; bits &= bits - 1) {
                release(groups.group(word * 64 + Long.numberOfTrailingZeros(bits)), tid);
            }
        }
    }

    private void release(Group group, long tid) {
        group.lock.lock();
        try {
            while (group.pending != null && group.pending.tid <= tid) {
                blocks.add(-group.pending.release(group.busy));
                group.pending = group.pending.next;
                group.longestRun = -1;
            }
            if (group.pending == null) {
                group.busy = null;
                long bit = 1L << group.index;
                marked.getAndAccumulate(group.index >>> 6, bit, (old, one) -> old & ~one);
            }
        } finally {
            group.lock.unlock();
        }
    }

    /** How many blocks wait; may be stale. */
    public long blocks() {
        return blocks.sum();
    }
}
