// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

import java.util.function.IntConsumer;

/**
 * Pin counts by inode number, and which pinned inodes have no link left. Apart from {@link Inode} objects and compact (8
 * bytes an entry in tables filled to between a third and two thirds), since a kernel may hold a million lookups. Striped
 * by number; each stripe's monitor is innermost. The root needs no pin and is not counted.
 *
 * <p><b>Promises.</b> A pin that was taken over from another core or process comes with the generation that the inode had
 * then. It is compared when the inode is loaded: if it is the same the promise is kept and forgotten; else the number
 * answers ESTALE, and is not used again, until its last pin is given back. Where nothing was taken over this costs one look
 * at a field.
 */
public final class Pins {
    /** Sees one entry. */
    @FunctionalInterface
    public interface Visitor {
        /** An inode with {@code count} pins. */
        void pinned(int ino, int count, boolean unlinked);
    }

    /** Sees one promise. */
    @FunctionalInterface
    public interface Promise {
        /** The inode must have this generation. */
        void generation(int ino, int generation);
    }

    private static final int STRIPES = 64;

    private final PinTable[] stripes = new PinTable[STRIPES];
    private final IntConsumer broken;

    /** None pinned, none taken over. */
    public Pins() {
        this(ino -> {});
    }

    /**
     * None pinned.
     *
     * @param broken called without a lock when the last pin of a number is given back whose promise was not found to be kept
     */
    public Pins(IntConsumer broken) {
        this.broken = broken;
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
        boolean last;
        boolean wasPromised;
        synchronized (table) {
            last = table.subtract(ino, count);
            wasPromised = table.promised != null && table.count(ino) == 0 && endPromiseLocked(table, ino);
        }
        if (wasPromised) {
            broken.accept(ino);
        }
        return last;
    }

    private static boolean endPromiseLocked(PinTable table, int ino) {
        boolean was = table.promised.remove(ino);
        if (table.promised.size() == 0) {
            table.promised = null;
        }
        return was;
    }

    /** Takes over {@code count} pins of an inode that has this generation, before any verb runs. */
    public void adopt(int ino, int generation, long count) {
        PinTable table = table(ino);
        synchronized (table) {
            table.add(ino, Math.min(count, Integer.MAX_VALUE));
            if (table.promised == null) {
                table.promised = new InoTable();
            }
            table.promised.put(ino, generation);
        }
    }

    /**
     * The inode was loaded and has this generation: ends its promise, if there is one and it is kept.
     *
     * @return false if another generation was promised
     */
    boolean keepsPromise(int ino, int generation) {
        PinTable table = table(ino);
        synchronized (table) {
            int slot = table.promised == null ? -1 : table.promised.find(ino);
            if (slot < 0) {
                return true;
            }
            return table.promised.values[slot] == generation && endPromiseLocked(table, ino);
        }
    }

    /** Whether there is a promise that was not found to be kept: the number must not be used for another inode. */
    public boolean isPromised(int ino) {
        PinTable table = table(ino);
        if (table.promised == null) { // promises are only made before verbs run
            return false;
        }
        synchronized (table) {
            return table.promised != null && table.promised.find(ino) >= 0;
        }
    }

    /** Shows all promises. The visitor must not call back. */
    public void forEachPromise(Promise visitor) {
        for (PinTable table : stripes) {
            synchronized (table) {
                InoTable promised = table.promised;
                for (int i = 0; promised != null && i < promised.keys.length; i++) {
                    if (promised.keys[i] != 0) {
                        visitor.generation(promised.keys[i], promised.values[i]);
                    }
                }
            }
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
