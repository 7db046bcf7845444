// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.load;

/** Which parts work on a filesystem, and what is replaced in the middle. */
public enum Mode {
    GLOBAL("global"),
    SHARDED("sharded"),
    TEMPLATE("template"),
    STRATEGY_SWAP("global"),
    JOURNAL_SWAP("sharded"),
    CORE_SWAP("sharded");

    private final String strategy;

    Mode(String strategy) {
        this.strategy = strategy;
    }

    /** The first strategy's name. */
    String strategy() {
        return strategy;
    }

    /** Whether something is replaced. */
    boolean swaps() {
        return compareTo(STRATEGY_SWAP) >= 0;
    }
}
