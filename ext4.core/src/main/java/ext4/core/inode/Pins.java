// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

/** Pin counts by inode number, apart from {@link Inode} objects. */
public final class Pins {
    /** Adds one pin. */
    public void add(int ino) {
        throw new UnsupportedOperationException();
    }

    /**
     * Gives {@code count} pins back.
     *
     * @return true if this was the last pin of an inode marked by {@link #unlinked}: the caller hands it to the evictor
     */
    public boolean remove(int ino, long count) {
        throw new UnsupportedOperationException();
    }

    /**
     * The last link is gone (called after the handle closed, the inode's lock held or not).
     *
     * @return true if it has no pin: the caller hands it to the evictor
     */
    public boolean unlinked(int ino) {
        throw new UnsupportedOperationException();
    }

    /** It has a link again (linkat of an O_TMPFILE file). */
    public void linked(int ino) {
        throw new UnsupportedOperationException();
    }
}
