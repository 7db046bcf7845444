// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

import ext4.api.journal.Handle;

/** Inode records in the inode tables. */
public final class InodeStore {
    /** Credits of {@link #write}, {@link #deletionTime} and {@link #edit}: the inode-table block. */
    public static final int CREDITS = 1;

    /** Works on the raw record under the record lock. */
    @FunctionalInterface
    public interface RecordEdit {
        /**
         * @param block inode-table block
         * @param offset where the record begins in it
         */
        void on(byte[] block, int offset);
    }

    /** Reads from the raw record under the record lock. */
    @FunctionalInterface
    public interface RecordView<T> {
        /** As {@link RecordEdit#on}; must not change anything nor keep the array. */
        T on(byte[] block, int offset);
    }

    /**
     * Writes the fields of {@code inode} into its record, all but i_dtime, and the checksum, and notes the transaction in
     * syncTid. The caller holds the inode's write lock (or is freeing or creating it).
     */
    public void write(Handle handle, Inode inode) {
        throw new UnsupportedOperationException();
    }

    /** As {@link #write}; the change also concerns fdatasync(2): size or mapping. */
    public void writeMapping(Handle handle, Inode inode) {
        throw new UnsupportedOperationException();
    }

    /** Changes parts of the record beyond the fields of {@link Inode} (extended attributes), and the checksum. */
    public void edit(Handle handle, Inode inode, RecordEdit edit) {
        throw new UnsupportedOperationException();
    }

    /** Reads parts of the record beyond the fields of {@link Inode}. */
    public <T> T view(int ino, RecordView<T> view) {
        throw new UnsupportedOperationException();
    }
}
