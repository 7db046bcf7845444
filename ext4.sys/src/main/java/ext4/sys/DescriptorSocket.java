// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * One end of a connection to another process over which messages go, each with at most one descriptor; see unix(7),
 * SOCK_SEQPACKET. Any thread may send and any other receive; calls come with the caller's own {@link SystemCalls}.
 */
public final class DescriptorSocket {
    /** Bytes of a message at most. */
    public static final int MOST = 4096;

    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_SEQPACKET = 5;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    /** sun_path of struct sockaddr_un. */
    private static final int PATH_AT = 2;

    private static final int PATH_MOST = 108;

    private static final MethodHandle SOCKET =
            Functions.plain("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle SOCKETPAIR =
            Functions.plain("socketpair", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle SENDMSG =
            Functions.plain("sendmsg", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle RECVMSG =
            Functions.plain("recvmsg", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SETSOCKOPT = Functions.plain(
            "setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));

    private final int fd;

    /** @param fd a connected socket */
    public DescriptorSocket(int fd) {
        this.fd = fd;
    }

    /**
     * What came.
     *
     * @param text of the message
     * @param descriptor that came with it and is the receiver's now, not inherited by other programs; negative if none did
     */
    public record Message(String text, int descriptor) {}

    /** The two ends of a new connection; neither is inherited by other programs. */
    public static DescriptorSocket[] pair(SystemCalls calls) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(JAVA_INT, 2);
            int made = calls.checked(
                    (int) SOCKETPAIR.invokeExact(calls.state(), AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends));
            if (made < 0) {
                throw new IllegalStateException("socketpair: " + Linux.errorText(-made));
            }
            return new DescriptorSocket[] {
                new DescriptorSocket(ends.getAtIndex(JAVA_INT, 0)), new DescriptorSocket(ends.getAtIndex(JAVA_INT, 1))
            };
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }

    /** Its descriptor. */
    public int fd() {
        return fd;
    }

    /**
     * How long {@link #receive} waits.
     *
     * @return 0 or the negative error number
     */
    public int limit(SystemCalls calls, long seconds) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment timeval = arena.allocateFrom(JAVA_LONG, seconds, 0);
            return calls.checked((int) SETSOCKOPT.invokeExact(
                    calls.state(), fd, SOL_SOCKET, SO_RCVTIMEO, timeval, (int) timeval.byteSize()));
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }

    /**
     * Sends a message. May block.
     *
     * @param descriptor goes with it as a copy; negative for none
     * @return 0 or the negative error number: EPIPE if the other end is gone
     */
    public int send(SystemCalls calls, String text, int descriptor) {
        return send(calls, fd, null, text, descriptor);
    }

    /**
     * Sends one message to the socket at {@code path}, which receives datagrams, as a service manager's does.
     *
     * @param path absolute, or abstract if it begins with {@code @}; see sd_notify(3)
     * @return 0 or the negative error number
     */
    public static int sendTo(SystemCalls calls, String path, String text, int descriptor) {
        byte[] name = path.getBytes(StandardCharsets.UTF_8);
        if (name.length == 0 || name.length >= PATH_MOST) {
            return -Linux.EINVAL;
        }
        try (Arena arena = Arena.ofConfined()) {
            // an abstract name begins with a zero and has no end but its length
            MemorySegment address = arena.allocate(PATH_AT + name.length + (path.startsWith("@") ? 0 : 1L), 2);
            address.set(JAVA_SHORT, 0, (short) AF_UNIX);
            MemorySegment.copy(name, 0, address, JAVA_BYTE, PATH_AT, name.length);
            if (path.startsWith("@")) {
                address.set(JAVA_BYTE, PATH_AT, (byte) 0);
            }
            int socket = calls.checked((int) SOCKET.invokeExact(calls.state(), AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
            if (socket < 0) {
                return socket;
            }
            try {
                return send(calls, socket, address, text, descriptor);
            } finally {
                calls.close(socket);
            }
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }

    private static int send(SystemCalls calls, int socket, MemorySegment address, String text, int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment message = MessageHeader.sending(arena, text.getBytes(StandardCharsets.UTF_8), descriptor);
            if (address != null) {
                MessageHeader.to(message, address);
            }
            long sent;
            do {
                sent = calls.checked((long) SENDMSG.invokeExact(calls.state(), socket, message, MSG_NOSIGNAL));
            } while (sent == -Linux.EINTR);
            return sent < 0 ? (int) sent : 0;
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }

    /**
     * Waits for a message.
     *
     * @return null if the other end is gone, or the limit passed
     */
    public Message receive(SystemCalls calls) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(MOST);
            MemorySegment message = MessageHeader.receiving(arena, text);
            long count;
            do {
                count = calls.checked((long) RECVMSG.invokeExact(calls.state(), fd, message, MSG_CMSG_CLOEXEC));
            } while (count == -Linux.EINTR);
            if (count <= 0) {
                return null;
            }
            return new Message(
                    new String(text.asSlice(0, count).toArray(JAVA_BYTE), StandardCharsets.UTF_8),
                    MessageHeader.descriptor(message));
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }

    /** close(2). */
    public void close(SystemCalls calls) {
        calls.close(fd);
    }
}
