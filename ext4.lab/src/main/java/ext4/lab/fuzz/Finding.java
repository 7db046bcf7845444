// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

/**
 * Something that must not happen.
 *
 * @param kind what
 * @param where the operation
 * @param text the evidence
 */
record Finding(Kind kind, String where, String text) {
    /** The columns of the last line. */
    enum Kind {
        /** An operation does not end, or takes more requests or time than any may. */
        HANG,
        /** An error of the machine, memory without bound, access outside of the image, a write that must not be. */
        CRASH,
        /** An exception that is none of the three kinds, nor an errno. */
        FOREIGN,
        /** The checker calls clean what e2fsck calls damaged. */
        MISSED,
        /** The checker calls damaged what e2fsck calls clean. */
        STRICTER
    }

    /** Whether a minimised damage still shows the same. */
    boolean isLike(Finding other) {
        return kind == other.kind;
    }

    @Override
    public String toString() {
        return kind + " in " + where + ": " + text;
    }
}
