// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

import ext4.format.FormatException;
import ext4.format.dir.DirBlock;
import ext4.format.dir.DirCookie;
import ext4.format.dir.DirEntry;
import ext4.format.hash.NameHash;
import java.util.Arrays;

/**
 * The smallest entries above a lower bound, out of any number of blocks, in bounded memory: at most twice the wanted
 * number is held, then the greater half is dropped. The order is that of cookies.
 */
final class Selection {
    private final DirFile dir;
    private final NameHash nameHash;
    private final long fromOrder;
    private final byte[] afterName;
    private final int wanted;
    private DirItem[] items;
    private int size;
    private boolean complete = true;

    /**
     * @param fromOrder entries below it are left out
     * @param afterName entries of {@code fromOrder} up to this name are left out; null for none
     * @param wanted how many to keep
     */
    Selection(DirFile dir, NameHash nameHash, long fromOrder, byte[] afterName, int wanted) {
        this.dir = dir;
        this.nameHash = nameHash;
        this.fromOrder = fromOrder;
        this.afterName = afterName;
        this.wanted = wanted;
        this.items = new DirItem[Math.min(64, 2 * wanted)];
    }

    /**
     * Looks through one block.
     *
     * @param lowest hashes below it, and
     * @param beyond hashes from it on (both unsigned in a long) don't belong here
     * @throws BadIndexException if there is an entry that doesn't belong here
     */
    void scan(byte[] b, int lblk, long lowest, long beyond) throws BadIndexException {
        int end = dir.format().entriesEnd(b);
        try {
            for (int at = DirBlock.firstUsed(b, 0, end, lblk);
                    at < end;
                    at = DirBlock.firstUsed(b, at + DirEntry.recLen(b, at), end, lblk)) {
                if (!DirEntry.isDot(b, at) && !DirEntry.isDotDot(b, at)) {
                    consider(b, at, lblk, lowest, beyond);
                }
            }
        } catch (FormatException e) {
            throw BadDirectory.of(dir, e);
        }
    }

    private void consider(byte[] b, int at, int lblk, long lowest, long beyond) throws BadIndexException {
        long packed = nameHash.hash(b, DirEntry.nameOffset(at), DirEntry.nameLen(b, at));
        long hash = packed >>> 32;
        if (hash < lowest || hash >= beyond) {
            throw new BadIndexException(BadDirectory.of(
                    dir, lblk, "directory leaf", "hash of the entry at " + at, "" + hash, lowest + " to " + beyond));
        }
        long order = DirCookie.order(NameHash.major(packed), NameHash.minor(packed));
        if (order < fromOrder || !complete && order > items[wanted - 1].order()) {
            return;
        }
        byte[] name = DirEntry.name(b, at);
        if (order == fromOrder && afterName != null && Arrays.compareUnsigned(name, afterName) <= 0) {
            return;
        }
        add(new DirItem(order, 0, DirEntry.inode(b, at), DirEntry.fileType(b, at), name));
    }

    private void add(DirItem item) {
        if (size == 2 * wanted) {
            trim();
        }
        if (size == items.length) {
            items = Arrays.copyOf(items, Math.min(2 * size, 2 * wanted));
        }
        items[size++] = item;
    }

    private void trim() {
        Arrays.sort(items, 0, size);
        if (size > wanted) {
            size = wanted;
            complete = false;
        }
    }

    /** Sorts what was found and cuts it to the wanted number; to be called before what follows. */
    void finish() {
        trim();
    }

    /** Whether nothing above the lower bound was dropped. */
    boolean isComplete() {
        return complete;
    }

    int size() {
        return size;
    }

    DirItem item(int i) {
        return items[i];
    }
}
