// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.session;

import ext4.api.fs.Attributes;
import ext4.fuse.wire.Replies.Attr;
import ext4.fuse.wire.Replies.AttrOut;
import ext4.fuse.wire.Replies.EntryOut;
import ext4.fuse.wire.Replies.StatxOut;

/** Attributes as the kernel wants them. */
final class AttributeEncoder {
    /** Nobody else changes the filesystem, so the kernel may keep names and attributes: a year, in seconds. */
    static final long VALID_SECONDS = 365L * 24 * 3600;

    /** STATX_ATTR_* of statx(2) have the values of the chattr(1) flags that they show. */
    private static final int STATX_FLAGS = 0x04 | 0x10 | 0x20 | 0x40 | 0x800;

    private final int blockSize;

    /** @param blockSize what stat(2) calls the preferred I/O size, bytes */
    AttributeEncoder(int blockSize) {
        this.blockSize = blockSize;
    }

    /** struct fuse_entry_out at {@code offset}: a name's inode, counted as one lookup. */
    void entry(Reply reply, int offset, Attributes a) {
        reply.int64(offset + EntryOut.NODEID, Request.nodeId(a.ino))
                .int64(offset + EntryOut.GENERATION, Integer.toUnsignedLong(a.generation))
                .int64(offset + EntryOut.ENTRY_VALID, VALID_SECONDS)
                .int64(offset + EntryOut.ATTR_VALID, VALID_SECONDS)
                .int64(offset + EntryOut.ENTRY_VALID_NSEC, 0); // with ATTR_VALID_NSEC behind it
        attr(reply, offset + EntryOut.ATTR, a);
    }

    /** The whole body: a name that does not exist, which the kernel may remember. */
    void negativeEntry(Reply reply) {
        reply.zero(0, EntryOut.SIZE).int64(EntryOut.ENTRY_VALID, VALID_SECONDS).body(EntryOut.SIZE);
    }

    /** The whole body: struct fuse_entry_out. */
    void entry(Reply reply, Attributes a) {
        entry(reply, 0, a);
        reply.body(EntryOut.SIZE);
    }

    /** The whole body: struct fuse_attr_out. */
    void attributes(Reply reply, Attributes a) {
        reply.int64(AttrOut.ATTR_VALID, VALID_SECONDS).int64(AttrOut.ATTR_VALID_NSEC, 0);
        attr(reply, AttrOut.ATTR, a);
        reply.body(AttrOut.SIZE);
    }

    private void attr(Reply reply, int offset, Attributes a) {
        reply.int64(offset + Attr.INO, Integer.toUnsignedLong(a.ino))
                .int64(offset + Attr.FILE_SIZE, a.size)
                .int64(offset + Attr.BLOCKS, a.sectors)
                .int64(offset + Attr.ATIME, a.atime)
                .int64(offset + Attr.MTIME, a.mtime)
                .int64(offset + Attr.CTIME, a.ctime)
                .int32(offset + Attr.ATIMENSEC, a.atimeNanos)
                .int32(offset + Attr.MTIMENSEC, a.mtimeNanos)
                .int32(offset + Attr.CTIMENSEC, a.ctimeNanos)
                .int32(offset + Attr.MODE, a.mode)
                .int32(offset + Attr.NLINK, a.nlink)
                .int32(offset + Attr.UID, a.uid)
                .int32(offset + Attr.GID, a.gid)
                .int32(offset + Attr.RDEV, deviceNumber(a.rdevMajor, a.rdevMinor))
                .int32(offset + Attr.BLKSIZE, blockSize)
                .int32(offset + Attr.FLAGS, 0);
    }

    /** The whole body: struct fuse_statx_out. */
    void statx(Reply reply, Attributes a) {
        boolean born = a.crtime != 0 || a.crtimeNanos != 0;
        reply.zero(0, StatxOut.SIZE)
                .int64(StatxOut.ATTR_VALID, VALID_SECONDS)
                .int32(StatxOut.MASK, StatxOut.BASIC_STATS | (born ? StatxOut.STATX_BTIME : 0))
                .int32(StatxOut.BLKSIZE, blockSize)
                .int64(StatxOut.ATTRIBUTES, a.flags & STATX_FLAGS)
                .int64(StatxOut.ATTRIBUTES_MASK, STATX_FLAGS)
                .int32(StatxOut.NLINK, a.nlink)
                .int32(StatxOut.UID, a.uid)
                .int32(StatxOut.GID, a.gid)
                .int16(StatxOut.MODE, a.mode)
                .int64(StatxOut.INO, Integer.toUnsignedLong(a.ino))
                .int64(StatxOut.FILE_SIZE, a.size)
                .int64(StatxOut.BLOCKS, a.sectors)
                .int32(StatxOut.RDEV_MAJOR, a.rdevMajor)
                .int32(StatxOut.RDEV_MINOR, a.rdevMinor);
        time(reply, StatxOut.ATIME, a.atime, a.atimeNanos);
        time(reply, StatxOut.BTIME, a.crtime, a.crtimeNanos);
        time(reply, StatxOut.CTIME, a.ctime, a.ctimeNanos);
        time(reply, StatxOut.MTIME, a.mtime, a.mtimeNanos);
        reply.body(StatxOut.SIZE);
    }

    private static void time(Reply reply, int offset, long seconds, int nanos) {
        reply.int64(offset, seconds).int32(offset + StatxOut.TIME_NSEC, nanos);
    }

    /** The protocol's 32 bits of a device number: minor 0-7, major 8-19, the rest of minor above. */
    static int deviceNumber(int major, int minor) {
        return (minor & 0xFF) | (major << 8) | ((minor & ~0xFF) << 12);
    }

    static int deviceMajor(int number) {
        return number >>> 8 & 0xFFF;
    }

    static int deviceMinor(int number) {
        return (number & 0xFF) | (number >>> 12 & 0xFFF00);
    }
}
