// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.session;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import ext4.fuse.channel.Descriptors;
import ext4.fuse.channel.RequestHandler;
import ext4.fuse.wire.Opcode;
import ext4.fuse.wire.Replies;
import ext4.fuse.wire.Requests;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Builds a request as the kernel would, and holds the reply. */
final class Exchange {
    final MemorySegment request = Arena.ofAuto().allocate(Descriptors.REQUEST_BYTES);
    final MemorySegment reply = Arena.ofAuto().allocate(Descriptors.REPLY_BYTES);
    private long unique = 1L << 63 | 4;
    private int length;

    /** Where both stand. */
    RequestHandler.Place place() {
        return RequestHandler.Place.buffers(request, reply);
    }

    /** Begins a request by user 1000, group 100. */
    Exchange begin(Opcode opcode, long nodeId) {
        reply.fill((byte) 0x55);
        length = Requests.Header.SIZE;
        unique += 2;
        request.set(JAVA_INT_UNALIGNED, Requests.Header.OPCODE, opcode.number());
        request.set(JAVA_LONG_UNALIGNED, Requests.Header.UNIQUE, unique);
        request.set(JAVA_LONG_UNALIGNED, Requests.Header.NODEID, nodeId);
        request.set(JAVA_INT_UNALIGNED, Requests.Header.UID, 1000);
        request.set(JAVA_INT_UNALIGNED, Requests.Header.GID, 100);
        return this;
    }

    Exchange int32(int value) {
        request.set(JAVA_INT_UNALIGNED, length, value);
        length += Integer.BYTES;
        return this;
    }

    Exchange int64(long value) {
        request.set(JAVA_LONG_UNALIGNED, length, value);
        length += Long.BYTES;
        return this;
    }

    Exchange bytes(byte[] value) {
        MemorySegment.copy(value, 0, request, JAVA_BYTE, length, value.length);
        length += value.length;
        return this;
    }

    Exchange name(String name) {
        return bytes((name + "\0").getBytes(StandardCharsets.ISO_8859_1));
    }

    int length() {
        return length;
    }

    /** Has it answered; the reply's error number, 0 for none. */
    int send(RequestHandler.Worker worker) {
        int total = worker.handle(length, 0);
        if (total == 0) {
            return 0;
        }
        if (total != reply.get(JAVA_INT_UNALIGNED, Replies.Header.LEN)) {
            throw new AssertionError("length " + total);
        }
        if (unique != reply.get(JAVA_LONG_UNALIGNED, Replies.Header.UNIQUE)) {
            throw new AssertionError("reply to another request");
        }
        return -reply.get(JAVA_INT_UNALIGNED, Replies.Header.ERROR);
    }

    int bodyLength() {
        return reply.get(JAVA_INT_UNALIGNED, Replies.Header.LEN) - Replies.Header.SIZE;
    }

    int reply32(int offset) {
        return reply.get(JAVA_INT_UNALIGNED, Replies.Header.SIZE + (long) offset);
    }

    long reply64(int offset) {
        return reply.get(JAVA_LONG_UNALIGNED, Replies.Header.SIZE + (long) offset);
    }

    String replyText(int offset, int count) {
        byte[] bytes = reply.asSlice(Replies.Header.SIZE + (long) offset, count).toArray(JAVA_BYTE);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
