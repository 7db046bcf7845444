// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/** Two connected stream sockets, over which another process hands this one a descriptor; see unix(7). */
public final class UnixSocket implements AutoCloseable {
    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM_CLOEXEC = 1 | 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;

    private static final StructLayout IOVEC =
            MemoryLayout.structLayout(ADDRESS.withName("base"), JAVA_LONG.withName("length"));
    /** struct msghdr of the 64-bit ABI. */
    private static final StructLayout MESSAGE = MemoryLayout.structLayout(
            ADDRESS.withName("name"),
            JAVA_INT.withName("name_length"),
            MemoryLayout.paddingLayout(4),
            ADDRESS.withName("vectors"),
            JAVA_LONG.withName("vector_count"),
            ADDRESS.withName("control"),
            JAVA_LONG.withName("control_length"),
            JAVA_INT.withName("flags"),
            MemoryLayout.paddingLayout(4));
    /** struct cmsghdr with one descriptor. */
    private static final StructLayout CONTROL = MemoryLayout.structLayout(
            JAVA_LONG.withName("length"),
            JAVA_INT.withName("level"),
            JAVA_INT.withName("type"),
            JAVA_INT.withName("descriptor"),
            MemoryLayout.paddingLayout(4));

    private static final long CONTROL_USED = offset(CONTROL, "descriptor") + JAVA_INT.byteSize();

    private static final MethodHandle SOCKETPAIR =
            Functions.plain("socketpair", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle RECVMSG =
            Functions.plain("recvmsg", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));

    private final SystemCalls calls;
    private final int mine;
    private int theirs;

    /** @throws IllegalStateException naming the error number if there is none to be had */
    public UnixSocket(SystemCalls calls) {
        this.calls = calls;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(JAVA_INT, 2);
            int made =
                    calls.checked((int) SOCKETPAIR.invokeExact(calls.state(), AF_UNIX, SOCK_STREAM_CLOEXEC, 0, ends));
            if (made < 0) {
                throw new IllegalStateException("socketpair: errno " + -made);
            }
            mine = ends.getAtIndex(JAVA_INT, 0);
            theirs = ends.getAtIndex(JAVA_INT, 1);
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }

    /** The end for the other process. */
    public int theirs() {
        return theirs;
    }

    /**
     * The descriptor that the other process sent; call it when that process has its end. Ours of that end is closed first,
     * so this returns when the other process ends without a word.
     *
     * @return a negative error number if there was none, ENOENT if nothing was sent
     */
    public int receive() {
        closeTheirs();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment vector = arena.allocate(IOVEC);
            vector.set(ADDRESS, offset(IOVEC, "base"), arena.allocate(1));
            vector.set(JAVA_LONG, offset(IOVEC, "length"), 1);
            MemorySegment control = arena.allocate(CONTROL);
            MemorySegment message = arena.allocate(MESSAGE);
            message.set(ADDRESS, offset(MESSAGE, "vectors"), vector);
            message.set(JAVA_LONG, offset(MESSAGE, "vector_count"), 1);
            message.set(ADDRESS, offset(MESSAGE, "control"), control);
            message.set(JAVA_LONG, offset(MESSAGE, "control_length"), CONTROL.byteSize());
            long count;
            do {
                count = calls.checked((long) RECVMSG.invokeExact(calls.state(), mine, message, MSG_CMSG_CLOEXEC));
            } while (count == -Linux.EINTR);
            if (count < 0) {
                return (int) count;
            }
            boolean came = message.get(JAVA_LONG, offset(MESSAGE, "control_length")) >= CONTROL_USED
                    && control.get(JAVA_LONG, offset(CONTROL, "length")) == CONTROL_USED
                    && control.get(JAVA_INT, offset(CONTROL, "level")) == SOL_SOCKET
                    && control.get(JAVA_INT, offset(CONTROL, "type")) == SCM_RIGHTS;
            return came ? control.get(JAVA_INT, offset(CONTROL, "descriptor")) : -Linux.ENOENT;
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }

    private static long offset(StructLayout layout, String field) {
        return layout.byteOffset(PathElement.groupElement(field));
    }

    private void closeTheirs() {
        if (theirs >= 0) {
            calls.close(theirs);
            theirs = -1;
        }
    }

    @Override
    public void close() {
        closeTheirs();
        calls.close(mine);
    }
}
