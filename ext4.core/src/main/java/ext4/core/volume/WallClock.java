// SPDX-License-Identifier: Apache-2.0
package ext4.core.volume;

import java.time.Instant;

/** Real time, as inode times and the superblock need it. */
@FunctionalInterface
public interface WallClock {
    /** The system's clock. */
    WallClock SYSTEM = () -> {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    };

    /** Nanoseconds since 1970. */
    long nanos();

    /** The seconds of a time in nanoseconds, rounded down. */
    static long seconds(long nanos) {
        return Math.floorDiv(nanos, 1_000_000_000L);
    }

    /** The nanoseconds within the second of a time in nanoseconds. */
    static int fraction(long nanos) {
        return (int) Math.floorMod(nanos, 1_000_000_000L);
    }
}
