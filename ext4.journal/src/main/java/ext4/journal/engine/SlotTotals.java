// SPDX-License-Identifier: Apache-2.0
package ext4.journal.engine;

import ext4.api.journal.HandleKind;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Sums the counters of all slots. */
final class SlotTotals implements Consumer<Slot> {
    private final long[] started = new long[HandleKind.values().length];
    private long copies;
    private long refills;

    @Override
    public void accept(Slot slot) {
        for (int i = 0; i < started.length; i++) {
            started[i] += slot.startedOf(i);
        }
        copies += slot.copies;
        refills += slot.refills;
    }

    void count(Map<String, Long> counters) {
        long all = 0;
        for (long each : started) {
            all += each;
        }
        counters.put("handles", all);
        for (HandleKind kind : HandleKind.values()) {
            counters.put("handles " + kind.name().toLowerCase(Locale.ROOT), started[kind.ordinal()]);
        }
        counters.put("copies on write", copies);
        counters.put("credit refills", refills);
    }
}
