// SPDX-License-Identifier: Apache-2.0
package ext4.core.cache;

/**
 * What a metadata block holds: how it is checked when it is loaded and sealed before it is written. Two of one class and
 * with one {@link #id} may share a cached block; a block that is reached as two different kinds is corrupt.
 */
public interface BlockKind {
    /** What messages call such a block, for example {@code extent node}. */
    String what();

    /**
     * Tells kinds of one class apart. (The {@code equals} of a record would do, but the JDK's bootstrap of it keeps a
     * softly reachable type of its components, and with it the class loader of a core that was replaced.)
     */
    long id();

    /** Whether it is of the same kind. */
    default boolean sameAs(BlockKind other) {
        return other.getClass() == getClass() && other.id() == id();
    }

    /**
     * Fills in a block that the format says not to read (uninitialised bitmaps and tables).
     *
     * @param block one block of zeros
     * @return whether it was filled in; if not the device is read
     */
    default boolean synthesize(byte[] block, long pblk) {
        return false;
    }

    /** What it means for the filesystem if the device can't read such a block, see {@link Loss}. */
    default Loss loss() {
        return Loss.OF_A_CHANGE;
    }

    /** When an unreadable block is an error of the filesystem (errors= in ext4(5)), beyond the EIO of whoever needs it. */
    enum Loss {
        /** Always: bitmaps and inode tables, without which no part of a group can be trusted. */
        ALWAYS,
        /** When a name is looked up, or something is changed: directories. */
        OF_A_NAME,
        /** When something is being changed, since the change may be half made: maps of files, attributes. */
        OF_A_CHANGE
    }

    /**
     * Checks checksum and structure, once, when the block is loaded.
     *
     * @throws ext4.api.fs.CorruptException with the evidence
     */
    void verify(byte[] block, long pblk);

    /** Fills in the checksum of a version that leaves memory; see {@link ext4.api.journal.MetaBlock#seal}. */
    void seal(byte[] block, long pblk);
}
