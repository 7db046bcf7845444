// SPDX-License-Identifier: Apache-2.0
package ext4.format.xattr;

import ext4.format.Le;
import ext4.format.checksum.Crc32c;

/**
 * Entry hashes: name bytes (unsigned) folded with shifts of 5, then the little-endian words of the value, padded with
 * zeros, with shifts of 16. Some kernels folded name bytes as signed: such a hash is accepted, never written.
 */
public final class XattrHash {
    private XattrHash() {}

    /** The hash of an attribute with its value in the area. */
    public static int of(byte[] name, byte[] value) {
        return foldValue(ofName(name, 0, name.length, false), value, 0, value.length);
    }

    /**
     * The hash of an attribute whose value is the content of an inode: one word, the value's checksum.
     *
     * @param valueCrc {@link #valueCrc}
     */
    public static int ofInodeValue(byte[] name, int valueCrc) {
        return foldWord(ofName(name, 0, name.length, false), valueCrc);
    }

    /** crc32c(fsSeed, value): also what the value's inode keeps in place of its access time. */
    public static int valueCrc(int fsSeed, byte[] value) {
        return Crc32c.raw(fsSeed, value, 0, value.length);
    }

    /**
     * Whether an entry's hash is right for its value in the area, in either variant. The padding counts as it stands,
     * as in the kernel, zero or not.
     */
    public static boolean verify(XattrArea a, byte[] b, int at) {
        int name = XattrEntry.nameOffset(at);
        int nameLen = XattrEntry.nameLen(b, at);
        int size = XattrEntry.paddedSize(XattrEntry.valueSize(b, at));
        int from = size == 0 ? a.first() : XattrList.valueStart(a, b, at);
        int hash = XattrEntry.hash(b, at);
        return hash == foldValue(ofName(b, name, nameLen, false), b, from, size)
                || hash == foldValue(ofName(b, name, nameLen, true), b, from, size);
    }

    /** Whether an entry's hash is right for the checksum of the value in its inode, in either variant. */
    public static boolean verifyInodeValue(byte[] b, int at, int valueCrc) {
        int name = XattrEntry.nameOffset(at);
        int nameLen = XattrEntry.nameLen(b, at);
        int hash = XattrEntry.hash(b, at);
        return hash == foldWord(ofName(b, name, nameLen, false), valueCrc)
                || hash == foldWord(ofName(b, name, nameLen, true), valueCrc);
    }

    private static int ofName(byte[] b, int off, int len, boolean signed) {
        int hash = 0;
        for (int i = off; i < off + len; i++) {
            hash = Integer.rotateLeft(hash, 5) ^ (signed ? b[i] : b[i] & 0xFF);
        }
        return hash;
    }

    private static int foldValue(int nameHash, byte[] b, int off, int len) {
        int hash = nameHash;
        int at = off;
        int end = off + len;
        for (; end - at >= 4; at += 4) {
            hash = foldWord(hash, Le.i32(b, at));
        }
        if (at < end) {
            int word = 0;
            for (int shift = 0; at < end; at++, shift += 8) {
                word |= (b[at] & 0xFF) << shift;
            }
            hash = foldWord(hash, word);
        }
        return hash;
    }

    static int foldWord(int hash, int word) {
        return Integer.rotateLeft(hash, 16) ^ word;
    }
}
