// SPDX-License-Identifier: Apache-2.0
package ext4.lab.stack;

import ext4.core.volume.WallClock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.IntSupplier;

/**
 * Time that goes on by a little more than a millisecond whenever it is asked for, so that the same work leaves the same
 * bytes; and numbers for generations of inodes, which differ from each other. Any thread.
 */
public final class TickingClock implements WallClock, InstantSource, IntSupplier {
    private static final long TICK_NANOS = 1_000_003;
    private static final int STEP = 0x9E3779B1;

    private long nanos; // guarded by this
    private int number; // guarded by this

    /** @param seconds of 1970 when it begins */
    public TickingClock(long seconds) {
        nanos = seconds * 1_000_000_000L;
    }

    @Override
    public synchronized long nanos() {
        nanos += TICK_NANOS;
        return nanos;
    }

    @Override
    public Instant instant() {
        long now = nanos();
        return Instant.ofEpochSecond(WallClock.seconds(now), WallClock.fraction(now));
    }

    @Override
    public synchronized int getAsInt() {
        number += STEP;
        return number;
    }
}
