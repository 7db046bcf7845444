// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import java.util.function.Predicate;

/** The differences that are as they should be, each with its reason. A difference in none of these rows is a mistake. */
enum Known {
    /** Blocks of extent trees. */
    NODES(
            "st_blocks counts the nodes of extent trees: how many there are depends on where the allocator put the blocks"
                    + " and, with the kernel's delayed allocation, on when; what is mapped is the same",
            difference -> difference.kind().equals("tree: nodes that map")),
    /** mbcache. */
    SHARED_ATTRIBUTES(
            "the kernel lets inodes of equal attributes share their block, here each new one has its own:"
                    + " one block less is free for each that is shared",
            difference -> difference.kind().equals("tree: statfs, with equal attributes"));

    private final String reason;
    private final Predicate<Difference> which;

    Known(String reason, Predicate<Difference> which) {
        this.reason = reason;
        this.which = which;
    }

    /** Why it is no mistake. */
    String reason() {
        return reason;
    }

    /** The row that lists it, or null. */
    static Known of(Difference difference) {
        for (Known known : values()) {
            if (known.which.test(difference)) {
                return known;
            }
        }
        return null;
    }
}
