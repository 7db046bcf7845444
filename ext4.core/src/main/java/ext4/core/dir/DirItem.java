// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

import java.util.Arrays;

/**
 * One entry of a listing.
 *
 * @param order what decides its place before the name does, see {@link ext4.format.dir.DirCookie#order}
 * @param cookie its position, set when its rank among equals is known
 * @param ino inode number
 * @param fileType the entry's type byte, 0 if the directory doesn't hold types
 * @param name the name's bytes, a copy
 */
@SuppressWarnings("ArrayRecordComponent")
public record DirItem(long order, long cookie, int ino, int fileType, byte[] name) implements Comparable<DirItem> {
    DirItem withCookie(long value) {
        return new DirItem(order, value, ino, fileType, name);
    }

    /** The order of cookies: by hash, then by the bytes of the names. */
    @Override
    public int compareTo(DirItem other) {
        int byOrder = Long.compare(order, other.order);
        return byOrder != 0 ? byOrder : Arrays.compareUnsigned(name, other.name);
    }
}
