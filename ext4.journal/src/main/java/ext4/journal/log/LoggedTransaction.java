// SPDX-License-Identifier: Apache-2.0
package ext4.journal.log;

import ext4.journal.engine.BlockState;
import ext4.journal.engine.FrozenTransaction;
import java.util.concurrent.atomic.AtomicInteger;

/** A transaction in the log. It may leave the log when none of its versions waits for checkpoint. */
final class LoggedTransaction {
    private final int sequence;
    private final int start;
    private final BlockState[] states;
    private final AtomicInteger waiting = new AtomicInteger();

    /** Log blocks; set once, when the transaction is complete. */
    private int blocks;

    LoggedTransaction(FrozenTransaction frozen, int sequence, int start) {
        this.sequence = sequence;
        this.start = start;
        this.states = new BlockState[frozen.count()];
        for (int i = 0; i < states.length; i++) {
            states[i] = frozen.state(i);
        }
    }

    int sequence() {
        return sequence;
    }

    /** Log block where it begins. */
    int start() {
        return start;
    }

    int blocks() {
        return blocks;
    }

    void blocks(int count) {
        blocks = count;
    }

    BlockState[] states() {
        return states;
    }

    /** How many of its versions wait for checkpoint. */
    AtomicInteger waiting() {
        return waiting;
    }
}
