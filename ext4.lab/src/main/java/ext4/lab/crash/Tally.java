// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash;

import java.util.concurrent.atomic.LongAdder;

/** Figures. Any thread. */
final class Tally {
    /** Different images judged, those of a file that is resumed included. */
    final LongAdder states = new LongAdder();

    /** Of these, prefixes of a record. */
    final LongAdder prefixes = new LongAdder();

    /** Of these, with writes lost or torn. */
    final LongAdder torn = new LongAdder();

    /** Of these, with the recovery interrupted. */
    final LongAdder interrupted = new LongAdder();

    /** Images that had been judged before. */
    final LongAdder again = new LongAdder();

    /** Images recovered by the kernel. */
    final LongAdder kernel = new LongAdder();

    /** Of these, because e2fsck tripped. */
    final LongAdder tripped = new LongAdder();

    /** Runs of e2fsck. */
    final LongAdder checks = new LongAdder();

    /** Workloads done. */
    final LongAdder workloads = new LongAdder();

    /** What fsync, fdatasync and syncfs promised in them. */
    final LongAdder promises = new LongAdder();

    final LongAdder wrong = new LongAdder();
}
