// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

/** How a device goes wrong. */
enum Way {
    /** The operation fails, and has done nothing. */
    ERROR_ONCE("fails once"),
    /** From this one on all operations of its kind (read, write, flush) fail. */
    ERROR_ON("fails from then on"),
    /** The operation fails after half of it. */
    SHORT_ONCE("is short once"),
    /** From this one on all reads, or writes and flushes, do half and fail. */
    SHORT_ON("is short from then on"),
    /** The operation takes long. */
    SLOW_ONCE("is slow once"),
    /** From this one on each takes long. */
    SLOW_ON("is slow from then on"),
    /** The device disappears, and comes back before the unmount with all it had. */
    GONE_FOR_A_WHILE("disappears for a while"),
    /** The device disappears, its cache is lost, and it comes back after the unmount. */
    GONE("disappears"),
    /** The device is smaller than it said: what is above half of it fails. */
    SMALLER("is smaller than it says"),
    /** Thin provisioning: what was never written finds no room. */
    FULL("is full"),
    /** Reads go on, writes and flushes fail. */
    WRITE_PROTECTED("takes no writes any more");

    private final String words;

    Way(String words) {
        this.words = words;
    }

    /** Whether only one operation goes wrong. */
    boolean isOnce() {
        return this == ERROR_ONCE || this == SHORT_ONCE || this == SLOW_ONCE;
    }

    /** Whether the device works again before the unmount. */
    boolean healsEarly(long random) {
        return switch (this) {
            case ERROR_ONCE, SHORT_ONCE, SLOW_ONCE, GONE_FOR_A_WHILE -> true;
            case GONE -> false;
            default -> (random & 1) == 0;
        };
    }

    @Override
    public String toString() {
        return words;
    }
}
