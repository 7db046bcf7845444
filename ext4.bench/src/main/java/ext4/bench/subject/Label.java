// SPDX-License-Identifier: Apache-2.0
package ext4.bench.subject;

/**
 * Names a subject in tables.
 *
 * @param place {@code in-process}, {@code mount fuse}, {@code kernel ext4} ...
 * @param strategy the orphan strategy, empty for a peer
 * @param alwaysRemove setattr always takes the inode off the orphan list: what the report calls before
 */
public record Label(String place, String strategy, boolean alwaysRemove) {
    /** The place of runs through the verbs. */
    public static final String IN_PROCESS = "in-process";

    /** A peer. */
    public static Label peer(String name) {
        return new Label(name, "", false);
    }

    /** Whether it is this project's filesystem. */
    public boolean own() {
        return !strategy.isEmpty();
    }

    /** Strategy and removal in the report's words, for a column. */
    public String variant() {
        return own() ? strategy + (alwaysRemove ? " before" : " after") : place;
    }

    @Override
    public String toString() {
        return own() ? place + ", " + strategy + (alwaysRemove ? ", always-remove" : "") : place;
    }
}
