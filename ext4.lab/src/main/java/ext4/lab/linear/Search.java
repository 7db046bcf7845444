// SPDX-License-Identifier: Apache-2.0
package ext4.lab.linear;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks for an order of a history's calls that the model agrees with: the search of Wing and Gong (1993), with Lowe's
 * memory (2017) of what was tried: the set of calls that are done and the state that they led to.
 */
final class Search {
    /** Calls of one history, at most: one bit each. */
    static final int MOST = Long.SIZE;

    private record Tried(long done, Model state) {}

    private final List<Op> ops;
    private final Set<Tried> tried = new HashSet<>();
    private long longest;

    Search(List<Op> ops) {
        if (ops.size() > MOST) {
            throw new IllegalArgumentException(ops.size() + " calls, at most " + MOST);
        }
        this.ops = ops;
    }

    /** Whether there is one that begins in this state. */
    boolean finds(Model initial) {
        return from(0, initial);
    }

    /** How many calls the longest agreeing beginning has: where to look when there is no order of all. */
    int longest() {
        return Long.bitCount(longest);
    }

    private boolean from(long done, Model state) {
        if (Long.bitCount(done) == ops.size()) {
            return true;
        }
        if (!tried.add(new Tried(done, state))) {
            return false;
        }
        if (Long.bitCount(done) > Long.bitCount(longest)) {
            longest = done;
        }
        long firstReturn = firstReturn(done);
        for (int i = 0; i < ops.size(); i++) {
            Op op = ops.get(i);
            if ((done & 1L << i) == 0 && op.called < firstReturn) {
                Model next = state.copy();
                if (next.step(op) && from(done | 1L << i, next)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** No call that began after another one had returned comes before it. */
    private long firstReturn(long done) {
        long first = Long.MAX_VALUE;
        for (int i = 0; i < ops.size(); i++) {
            if ((done & 1L << i) == 0) {
                first = Math.min(first, ops.get(i).returned);
            }
        }
        return first;
    }
}
