// SPDX-License-Identifier: Apache-2.0
package ext4.format.xattr;

import ext4.format.FormatException;
import ext4.format.Le;

/**
 * POSIX ACLs: the value on disk and the value that getxattr and setxattr carry.
 *
 * <p>On disk: u32 version 1, then entries of u16 tag, u16 permissions, and u32 id for the tags {@link #USER} and
 * {@link #GROUP} only. On the wire: u32 version 2, then entries of 8 bytes, always with an id, which is
 * {@link #NO_ID} for the other tags. Both little-endian.
 */
public final class AclCodec {
    public static final int USER_OBJ = 0x01;
    public static final int USER = 0x02;
    public static final int GROUP_OBJ = 0x04;
    public static final int GROUP = 0x08;
    public static final int MASK = 0x10;
    public static final int OTHER = 0x20;

    /** The id of entries that name nobody. */
    public static final int NO_ID = -1;

    static final int DISK_VERSION = 1;
    static final int HEADER_SIZE = 4;
    static final int SHORT_ENTRY = 4;
    static final int LONG_ENTRY = 8;
    private static final int WIRE_VERSION = 2;
    private static final int PERM = 2;
    private static final int ID = 4;

    private AclCodec() {}

    static int tag(byte[] acl, int off) {
        return Le.u16(acl, off);
    }

    static int perm(byte[] acl, int off) {
        return Le.u16(acl, off + PERM);
    }

    static void setPerm(byte[] acl, int off, int perm) {
        Le.put16(acl, off + PERM, perm);
    }

    static int diskSize(int tag) {
        return tag == USER || tag == GROUP ? LONG_ENTRY : SHORT_ENTRY;
    }

    /**
     * Converts a value read from disk, checking it.
     *
     * @throws FormatException if version, tags, order or size are wrong
     */
    public static byte[] toWire(byte[] disk) throws FormatException {
        validate(disk);
        byte[] wire = new byte[HEADER_SIZE + LONG_ENTRY * count(disk)];
        Le.put32(wire, 0, WIRE_VERSION);
        int to = HEADER_SIZE;
        for (int at = HEADER_SIZE; at < disk.length; at += diskSize(tag(disk, at))) {
            int tag = tag(disk, at);
            copy(disk, at, wire, to, diskSize(tag) == LONG_ENTRY ? Le.i32(disk, at + ID) : NO_ID);
            to += LONG_ENTRY;
        }
        return wire;
    }

    /**
     * Converts a value given to setxattr, checking it.
     *
     * @throws FormatException if it isn't a valid ACL (the caller's EINVAL; another version: EOPNOTSUPP)
     */
    public static byte[] toDisk(byte[] wire) throws FormatException {
        if (wire.length < HEADER_SIZE || (wire.length - HEADER_SIZE) % LONG_ENTRY != 0) {
            throw bad("size", wire.length, "4 + 8 n");
        }
        if (Le.i32(wire, 0) != WIRE_VERSION) {
            throw bad("a_version", Le.u32(wire, 0), "2");
        }
        int size = HEADER_SIZE;
        for (int at = HEADER_SIZE; at < wire.length; at += LONG_ENTRY) {
            size += diskSize(tag(wire, at));
        }
        byte[] disk = new byte[size];
        Le.put32(disk, 0, DISK_VERSION);
        int to = HEADER_SIZE;
        for (int at = HEADER_SIZE; at < wire.length; at += LONG_ENTRY) {
            copy(wire, at, disk, to, Le.i32(wire, at + ID));
            to += diskSize(tag(wire, at));
        }
        validate(disk);
        return disk;
    }

    private static void copy(byte[] from, int at, byte[] to, int off, int id) {
        Le.put16(to, off, tag(from, at));
        setPerm(to, off, perm(from, at));
        if (Le.i32(to, 0) == WIRE_VERSION || diskSize(tag(from, at)) == LONG_ENTRY) {
            Le.put32(to, off + ID, id);
        }
    }

    /** How many entries a valid value on disk has. */
    public static int count(byte[] disk) {
        int count = 0;
        for (int at = HEADER_SIZE; at < disk.length; at += diskSize(tag(disk, at))) {
            count++;
        }
        return count;
    }

    /**
     * Checks a value on disk: version, whole entries, permissions within rwx, and the order of acl(5): owner, named
     * users, owning group, named groups, mask (present if anybody is named), others. A value without entries is
     * valid: no ACL.
     */
    public static void validate(byte[] disk) throws FormatException {
        if (disk.length < HEADER_SIZE) {
            throw bad("size", disk.length, "at least 4");
        }
        if (Le.i32(disk, 0) != DISK_VERSION) {
            throw bad("a_version", Le.u32(disk, 0), "1");
        }
        int seen = 0;
        int at = HEADER_SIZE;
        while (at < disk.length) {
            if (disk.length - at < SHORT_ENTRY || disk.length - at < diskSize(tag(disk, at))) {
                throw bad("size", disk.length, "whole entries");
            }
            int tag = tag(disk, at);
            boolean named = diskSize(tag) == LONG_ENTRY;
            if (Integer.bitCount(tag) != 1 || tag > OTHER || tag < Integer.highestOneBit(seen)) {
                throw bad("e_tag at " + at, tag, "the order of acl(5)");
            }
            if (!named && tag == Integer.highestOneBit(seen)) {
                throw bad("e_tag at " + at, tag, "only once");
            }
            if (perm(disk, at) > 7) {
                throw bad("e_perm at " + at, perm(disk, at), "0 to 7");
            }
            if (named && Le.i32(disk, at + ID) == NO_ID) {
                throw bad("e_id at " + at, NO_ID, "an id");
            }
            seen |= tag;
            at += diskSize(tag);
        }
        int base = USER_OBJ | GROUP_OBJ | OTHER;
        if (seen != 0 && (seen & base) != base || (seen & (USER | GROUP)) != 0 && (seen & MASK) == 0) {
            throw bad("tags", seen, "owner, group, others, and a mask if anybody is named");
        }
    }

    private static FormatException bad(String field, long found, String expected) {
        return new FormatException("acl", FormatException.UNKNOWN_BLOCK, field, found, expected);
    }
}
