// SPDX-License-Identifier: Apache-2.0
package ext4.mount.observe;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** A histogram of times that threads record into without meeting: a few recorders, made when they are first needed. */
final class Spread {
    private static final int STRIPES = 8;
    private static final long LOWEST_NANOS = 32;
    private static final long HIGHEST_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 2;
    private static final double NANOS_PER_MICRO = 1000;

    private final AtomicReferenceArray<Recorder> recorders = new AtomicReferenceArray<>(STRIPES);
    /** Of all recorders together, up to the last reading. Guarded by this. */
    private final Histogram total = new Histogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);

    /** @param slot where the calling thread records; those of other threads may be the same */
    void record(int slot, long nanos) {
        int stripe = slot & STRIPES - 1;
        Recorder recorder = recorders.get(stripe);
        if (recorder == null) {
            recorders.compareAndSet(stripe, null, new Recorder(LOWEST_NANOS, HIGHEST_NANOS, DIGITS));
            recorder = recorders.get(stripe);
        }
        recorder.recordValue(Math.min(nanos, HIGHEST_NANOS));
    }

    /** How many, and median, 99th percentile and highest in microseconds. */
    synchronized String text() {
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            Recorder recorder = recorders.get(stripe);
            if (recorder != null) {
                total.add(recorder.getIntervalHistogram());
            }
        }
        if (total.getTotalCount() == 0) {
            return "none";
        }
        return String.format(
                Locale.ROOT,
                "%d, us median %.2f, 99 %% %.2f, max %.2f",
                total.getTotalCount(),
                total.getValueAtPercentile(50) / NANOS_PER_MICRO,
                total.getValueAtPercentile(99) / NANOS_PER_MICRO,
                total.getMaxValue() / NANOS_PER_MICRO);
    }
}
