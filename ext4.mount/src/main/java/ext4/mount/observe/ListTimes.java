// SPDX-License-Identifier: Apache-2.0
package ext4.mount.observe;

import java.util.Map;

/** The figures of one strategy. */
final class ListTimes {
    /** One call in so many is timed, of each thread: two readings of the clock cost as much as the call itself. */
    static final int SAMPLE = 16;

    private final ThreadCounts calls = new ThreadCounts();
    private final Spread adds = new Spread();
    private final Spread removes = new Spread();
    private final Spread waits = new Spread();

    /** The calling thread begins an add or a remove; its slot. */
    int began() {
        return calls.count();
    }

    /** Whether the call that just began is to be timed. */
    boolean isTimed(int slot) {
        return (calls.of(slot) & SAMPLE - 1) == 0;
    }

    void added(int slot, long nanos) {
        adds.record(slot, nanos);
    }

    void removed(int slot, long nanos) {
        removes.record(slot, nanos);
    }

    /** The calling thread waited for a lock of the list. */
    void waited(long nanos) {
        waits.record((int) Thread.currentThread().threadId(), nanos);
    }

    void lines(String name, Map<String, String> lines) {
        if (calls.sum() == 0) {
            return;
        }
        lines.put("orphan calls of " + name, calls.sum() + ", one in " + SAMPLE + " of each thread is timed");
        lines.put("orphan add of " + name, adds.text());
        lines.put("orphan remove of " + name, removes.text());
        lines.put("orphan wait of " + name, waits.text());
        lines.put("orphan fairness of " + name, calls.fairness());
    }
}
