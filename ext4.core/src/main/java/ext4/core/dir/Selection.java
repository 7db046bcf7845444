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
 *
 * <p>What is sorted is an array of longs, each an entry's order with its number among those found: names decide only
 * among entries of equal order, and those are few.
 */
final class Selection {
    /** Bits of a key that number the entries found; the 43 above are the order. */
    private static final int NUMBER_BITS = 20;

    private static final int NUMBER = (1 << NUMBER_BITS) - 1;
    /** Most that can be wanted. */
    static final int MOST_WANTED = 1 << NUMBER_BITS - 1;

    private static final int FIRST_ROOM = 128;

    private final DirFile dir;
    private final NameHash nameHash;
    private final long fromOrder;
    private final byte[] afterName;
    private final int wanted;
    private long[] keys;
    private byte[][] names;
    private int[] inos;
    private byte[] fileTypes;
    private int size;
    private boolean complete = true;

    /**
     * @param fromOrder entries below it are left out
     * @param afterName entries of {@code fromOrder} up to this name are left out; null for none
     * @param wanted how many to keep, up to {@link #MOST_WANTED}
     */
    Selection(DirFile dir, NameHash nameHash, long fromOrder, byte[] afterName, int wanted) {
        if (wanted < 1 || wanted > MOST_WANTED) {
            throw new IllegalArgumentException(wanted + " entries");
        }
        this.dir = dir;
        this.nameHash = nameHash;
        this.fromOrder = fromOrder;
        this.afterName = afterName;
        this.wanted = wanted;
        int room = Math.min(FIRST_ROOM, 2 * wanted);
        keys = new long[room];
        names = new byte[room][];
        inos = new int[room];
        fileTypes = new byte[room];
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
        if (order < fromOrder || !complete && order > order(wanted - 1)) {
            return;
        }
        byte[] name = DirEntry.name(b, at);
        if (order == fromOrder && afterName != null && Arrays.compareUnsigned(name, afterName) <= 0) {
            return;
        }
        add(order, name, DirEntry.inode(b, at), DirEntry.fileType(b, at));
    }

    private void add(long order, byte[] name, int ino, int fileType) {
        if (size == 2 * wanted) {
            trim();
        }
        if (size == keys.length) {
            int room = Math.min(2 * size, 2 * wanted);
            keys = Arrays.copyOf(keys, room);
            names = Arrays.copyOf(names, room);
            inos = Arrays.copyOf(inos, room);
            fileTypes = Arrays.copyOf(fileTypes, room);
        }
        keys[size] = order << NUMBER_BITS | size;
        names[size] = name;
        inos[size] = ino;
        fileTypes[size] = (byte) fileType;
        size++;
    }

    /** Drops what is not wanted, and numbers the rest anew in its order, so that more can be added. */
    private void trim() {
        sort();
        if (size > wanted) {
            size = wanted;
            complete = false;
        }
        byte[][] oldNames = names.clone();
        int[] oldInos = inos.clone();
        byte[] oldFileTypes = fileTypes.clone();
        for (int i = 0; i < size; i++) {
            int number = number(i);
            names[i] = oldNames[number];
            inos[i] = oldInos[number];
            fileTypes[i] = oldFileTypes[number];
            keys[i] = keys[i] & ~NUMBER | i;
        }
    }

    private void sort() {
        Arrays.sort(keys, 0, size);
        for (int from = 0; from < size; ) {
            int to = from + 1;
            while (to < size && order(to) == order(from)) {
                to++;
            }
            if (to - from > 1) {
                sortByName(from, to);
            }
            from = to;
        }
    }

    /** Sorts entries of one order. */
    private void sortByName(int from, int to) {
        Integer[] numbers = new Integer[to - from];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = number(from + i);
        }
        Arrays.sort(numbers, (a, b) -> Arrays.compareUnsigned(names[a], names[b]));
        for (int i = 0; i < numbers.length; i++) {
            keys[from + i] = keys[from + i] & ~NUMBER | numbers[i];
        }
    }

    /** Sorts what was found and cuts it to the wanted number; to be called once, before what follows. */
    void finish() {
        sort();
        if (size > wanted) {
            size = wanted;
            complete = false;
        }
    }

    /** Whether nothing above the lower bound was dropped. */
    boolean isComplete() {
        return complete;
    }

    int size() {
        return size;
    }

    /** What decides the place of entry {@code i} before its name does, see {@link DirCookie#order}. */
    long order(int i) {
        return keys[i] >>> NUMBER_BITS;
    }

    /** The name of entry {@code i}. */
    byte[] name(int i) {
        return names[number(i)];
    }

    /** Entry {@code i} with its position. */
    DirItem item(int i, long cookie) {
        int number = number(i);
        return new DirItem(cookie, inos[number], fileTypes[number] & 0xFF, names[number]);
    }

    private int number(int i) {
        return (int) keys[i] & NUMBER;
    }
}
