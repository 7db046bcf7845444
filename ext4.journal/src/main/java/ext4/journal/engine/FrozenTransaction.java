// SPDX-License-Identifier: Apache-2.0
package ext4.journal.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A locked transaction: its blocks with their frozen versions, its revokes, and the blocks freed in it. */
public final class FrozenTransaction {
    private final long tid;
    private BlockState[] states = new BlockState[64];
    private byte[][] versions = {};
    private int count;
    private final List<BlockState> forgotten = new ArrayList<>();
    private long[] revokes = {};

    FrozenTransaction(long tid) {
        this.tid = tid;
    }

    /** Transaction number. */
    public long tid() {
        return tid;
    }

    /** Number of blocks. */
    public int count() {
        return count;
    }

    /** The i-th block. */
    public BlockState state(int i) {
        return states[i];
    }

    /** The i-th block's frozen version. */
    public byte[] version(int i) {
        return versions[i];
    }

    /** Block numbers to revoke, ascending. */
    public long[] revokes() {
        return revokes;
    }

    /** Blocks freed in this transaction of which an earlier version was kept. */
    public List<BlockState> forgotten() {
        return forgotten;
    }

    /** Whether there is nothing to make durable. */
    public boolean isEmpty() {
        return count == 0 && revokes.length == 0 && forgotten.isEmpty();
    }

    /** Has the host fill in the checksums of all frozen versions. */
    public void seal() {
        for (int i = 0; i < count; i++) {
            states[i].block().seal(versions[i]);
        }
    }

    /** Forgets all versions; the journal aborted. */
    void abandon() {
        for (int i = 0; i < count; i++) {
            states[i].abandon();
        }
        forgotten.forEach(BlockState::abandon);
    }

    void collect(BlockState[] joined, int n, List<BlockState> forgot) {
        if (count + n > states.length) {
            states = Arrays.copyOf(states, Math.max(count + n, states.length * 2));
        }
        System.arraycopy(joined, 0, states, count, n);
        count += n;
        forgotten.addAll(forgot);
    }

    /** Takes the current versions; drops blocks that were forgotten or joined twice. */
    void freeze(Transaction tx) {
        versions = new byte[count][];
        int kept = 0;
        for (int i = 0; i < count; i++) {
            byte[] version = states[i].freeze(tx);
            if (version != null) {
                states[kept] = states[i];
                versions[kept++] = version;
            }
        }
        Arrays.fill(states, kept, count, null);
        count = kept;
        revokes = tx.revokes.toSortedArray();
    }
}
