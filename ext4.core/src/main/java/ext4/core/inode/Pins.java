// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

/**
 * Pin counts by inode number, and which pinned inodes have no link left. Apart from {@link Inode} objects and compact (8
 * bytes an entry in tables filled to between a third and two thirds), since a kernel may hold a million lookups. Striped
 * by number; each stripe's monitor is innermost. The root needs no pin and is not counted.
 */
public final class Pins {
    /** Sees one entry. */
    @FunctionalInterface
    public interface Visitor {
        /** An inode with {@code count} pins. */
        void pinned(int ino, int count, boolean unlinked);
    }

    private static final int STRIPES = 64;

    private final PinTable[] stripes = new PinTable[STRIPES];

    /** None pinned. */
    public Pins() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new PinTable();
        }
    }

    /** Adds one pin. */
    public void add(int ino) {
        PinTable table = table(ino);
        synchronized (table) {
            table.add(ino, 1);
        }
    }

    /**
     * Gives {@code count} pins back; more than there are count as all.
     *
     * @return true if this was the last pin of an inode marked by {@link #unlinked}: the caller hands it to the evictor
     */
    public boolean remove(int ino, long count) {
        PinTable table = table(ino);
        synchronized (table) {
            return table.subtract(ino, count);
        }
    }

    /**
     * The last link is gone. Called after the handle was closed, so that an evictor finds it on the orphan list.
     *
     * @return true if it has no pin: the caller hands it to the evictor
     */
    public boolean unlinked(int ino) {
        PinTable table = table(ino);
        synchronized (table) {
            return table.markUnlinked(ino);
        }
    }

    /** It has a link again (linkat(2) of an O_TMPFILE file), or its number is freed. */
    public void linked(int ino) {
        PinTable table = table(ino);
        synchronized (table) {
            table.clearUnlinked(ino);
        }
    }

    /** Whether it was marked by {@link #unlinked} and is not freed. */
    public boolean isUnlinked(int ino) {
        PinTable table = table(ino);
        synchronized (table) {
            return table.isUnlinked(ino);
        }
    }

    /** Pins of an inode. */
    public int count(int ino) {
        PinTable table = table(ino);
        synchronized (table) {
            return table.count(ino);
        }
    }

    /** Inodes with pins, or unlinked; may be stale. */
    public long size() {
        long sum = 0;
        for (PinTable table : stripes) {
            synchronized (table) {
                sum += table.size();
            }
        }
        return sum;
    }

    /** Shows all entries, stripe by stripe. The visitor must not call back. */
    public void forEach(Visitor visitor) {
        for (PinTable table : stripes) {
            synchronized (table) {
                table.forEach(visitor);
            }
        }
    }

    private PinTable table(int ino) {
        return stripes[ino * 0x9E3779B9 >>> 26];
    }
}
