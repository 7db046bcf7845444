// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.session;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import ext4.api.fs.Attributes;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.fuse.channel.RequestHandler.Place;
import ext4.fuse.wire.Replies.Header;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The reply in its place. One instance a place. Offsets are counted from the beginning of the body; a handler writes
 * fields, after it has read what it needs of the request, then says how long the body is.
 */
final class Reply {
    /** For a verb to fill in. */
    final Attributes attributes = new Attributes();

    private final MemorySegment header;
    private final MemorySegment memory;
    private final ByteBuffer bytes;
    private int bodyLength;

    Reply(Place place) {
        header = place.replyHeader();
        memory = place.replyBody();
        bytes = memory.asByteBuffer();
    }

    /** Begins a reply without a body. */
    void begin() {
        bodyLength = 0;
    }

    /** The body is {@code count} bytes long. */
    void body(int count) {
        bodyLength = count;
    }

    /** Most bytes that a body can have. */
    int capacity() {
        return (int) memory.byteSize();
    }

    Reply int16(int offset, int value) {
        memory.set(JAVA_SHORT_UNALIGNED, offset, (short) value);
        return this;
    }

    Reply int32(int offset, int value) {
        memory.set(JAVA_INT_UNALIGNED, offset, value);
        return this;
    }

    Reply int64(int offset, long value) {
        memory.set(JAVA_LONG_UNALIGNED, offset, value);
        return this;
    }

    /** Sets {@code count} bytes to zero. */
    Reply zero(int offset, int count) {
        memory.asSlice(offset, count).fill((byte) 0);
        return this;
    }

    Reply data(int offset, byte[] from, int start, int count) {
        MemorySegment.copy(from, start, memory, JAVA_BYTE, offset, count);
        return this;
    }

    /** The first {@code count} bytes of the body as a buffer to fill, for READ. */
    ByteBuffer view(int count) {
        if (count < 0 || count > capacity()) {
            throw ErrnoException.of(Errno.EINVAL);
        }
        return bytes.limit(count).position(0);
    }

    /**
     * Writes the header.
     *
     * @param errno 0 or a positive error number, with which the body is left out
     * @return bytes of the whole reply
     */
    int finish(long unique, int errno) {
        int total = Header.SIZE + (errno == 0 ? bodyLength : 0);
        header.set(JAVA_INT_UNALIGNED, Header.LEN, total);
        header.set(JAVA_INT_UNALIGNED, Header.ERROR, -errno);
        header.set(JAVA_LONG_UNALIGNED, Header.UNIQUE, unique);
        return total;
    }
}
