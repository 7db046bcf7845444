// SPDX-License-Identifier: Apache-2.0
package ext4.api.orphan;

/**
 * An orphan and where it stands on disk.
 *
 * @param ino inode number
 * @param where nowhere, in the chain, or in a slot of the orphan file
 * @param block block of the orphan file (from 0) for {@link Where#SLOT}, else -1
 * @param slot index in that block for {@link Where#SLOT}, else -1
 */
public record OrphanPlace(int ino, Where where, int block, int slot) {
    /** Where an orphan stands on disk. */
    public enum Where {
        /** Only in memory: without a journal, or not yet written. */
        NOWHERE,
        /** In the chain that starts at s_last_orphan; a list of places gives its members in the chain's order. */
        CHAIN,
        /** In a slot of the orphan file. */
        SLOT
    }

    /** An orphan that is only in memory. */
    public static OrphanPlace nowhere(int ino) {
        return new OrphanPlace(ino, Where.NOWHERE, -1, -1);
    }

    /** A member of the chain. */
    public static OrphanPlace chain(int ino) {
        return new OrphanPlace(ino, Where.CHAIN, -1, -1);
    }

    /** An orphan in the orphan file. */
    public static OrphanPlace slot(int ino, int block, int slot) {
        return new OrphanPlace(ino, Where.SLOT, block, slot);
    }
}
