// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.session;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.fuse.channel.RequestHandler.Place;
import ext4.fuse.wire.Requests.Header;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** The request in its place. One instance a place, filled anew for each request. */
final class Request {
    private static final int NAME_MAX = 255;
    private static final long ROOT_NODE = 1;
    private static final int ROOT_INO = 2;

    final AttributeChange change = new AttributeChange();

    private final MemorySegment memory;
    /** Where the body begins in {@link #memory}. */
    private final long fixed;
    /** Names and data. */
    private final MemorySegment data;

    private final ByteBuffer bytes;
    /** Offset in the body of the beginning of {@link #data}. */
    private int dataAt;

    private Credentials who = Credentials.ROOT;
    private int length;
    private int opcode;
    private long unique;
    private int ino;

    Request(Place place) {
        memory = place.request();
        fixed = place.fixed();
        data = place.data();
        bytes = data.asByteBuffer();
    }

    /** Reads the header of a request of {@code length} bytes, of whose body what is from {@code dataAt} on stands apart. */
    void parse(int length, int dataAt) {
        this.length = length;
        this.dataAt = dataAt;
        opcode = memory.get(JAVA_INT_UNALIGNED, Header.OPCODE);
        unique = memory.get(JAVA_LONG_UNALIGNED, Header.UNIQUE);
        ino = ino(memory.get(JAVA_LONG_UNALIGNED, Header.NODEID));
    }

    int opcode() {
        return opcode;
    }

    long unique() {
        return unique;
    }

    /** The inode that the header names. */
    int ino() {
        return ino;
    }

    /** The inode behind a node id: they are the same but for the root, which the kernel knows as 1. */
    static int ino(long nodeId) {
        return nodeId == ROOT_NODE ? ROOT_INO : (int) nodeId;
    }

    /** The node id of an inode. */
    static long nodeId(int ino) {
        return ino == ROOT_INO ? ROOT_NODE : Integer.toUnsignedLong(ino);
    }

    /** Who asks. The kernel has applied the umask, as DONT_MASK is not negotiated. */
    Credentials who() {
        int uid = memory.get(JAVA_INT_UNALIGNED, Header.UID);
        int gid = memory.get(JAVA_INT_UNALIGNED, Header.GID);
        if (who.uid() != uid || who.gid() != gid) {
            who = new Credentials(uid, gid, 0);
        }
        return who;
    }

    /** Bytes after the header. */
    int bodyLength() {
        return length - Header.SIZE;
    }

    /** A 32-bit field at {@code offset} of the fixed part. */
    int int32(int offset) {
        return memory.get(JAVA_INT_UNALIGNED, fixed + offset);
    }

    /** A 64-bit field at {@code offset} of the fixed part. */
    long int64(int offset) {
        return memory.get(JAVA_LONG_UNALIGNED, fixed + offset);
    }

    /**
     * The file name that begins at {@code offset} of the body and ends with NUL.
     *
     * @throws ErrnoException ENAMETOOLONG beyond 255 bytes: the kernel passes on up to 1024
     */
    byte[] name(int offset) {
        int count = stringLength(offset);
        if (count > NAME_MAX) {
            throw ErrnoException.of(Errno.ENAMETOOLONG);
        }
        return data(offset, count);
    }

    /** A text that is not a file name: a symbolic link's target, an attribute's name. */
    byte[] string(int offset) {
        return data(offset, stringLength(offset));
    }

    /** Bytes of the text at {@code offset} of the body, without its NUL. */
    int stringLength(int offset) {
        int from = checked(offset, 0) - dataAt;
        int limit = bodyLength() - dataAt;
        for (int end = from; end < limit; end++) {
            if (data.get(JAVA_BYTE, end) == 0) {
                return end - from;
            }
        }
        throw ErrnoException.of(Errno.EINVAL);
    }

    /** A copy of {@code count} bytes at {@code offset} of the body. */
    byte[] data(int offset, int count) {
        int from = checked(offset, count) - dataAt;
        byte[] copy = new byte[count];
        MemorySegment.copy(data, JAVA_BYTE, from, copy, 0, count);
        return copy;
    }

    /** {@code count} bytes at {@code offset} of the body in place; good until the next request. */
    ByteBuffer view(int offset, int count) {
        int from = checked(offset, count) - dataAt;
        return bytes.limit(from + count).position(from);
    }

    /** {@code offset}, from where on {@code count} bytes must be there. */
    private int checked(int offset, int count) {
        if (count < 0 || offset < dataAt || count > bodyLength() - offset) {
            throw ErrnoException.of(Errno.EINVAL);
        }
        return offset;
    }
}
