// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** struct msghdr for one piece of text and at most one descriptor: see recvmsg(2), cmsg(3). */
final class MessageHeader {
    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;

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

    private MessageHeader() {}

    /** One that sends; {@code descriptor} is negative for none. */
    static MemorySegment sending(Arena arena, byte[] text, int descriptor) {
        MemorySegment message = of(arena, arena.allocateFrom(JAVA_BYTE, text));
        if (descriptor >= 0) {
            MemorySegment control = control(arena, message);
            control.set(JAVA_LONG, offset(CONTROL, "length"), CONTROL_USED);
            control.set(JAVA_INT, offset(CONTROL, "level"), SOL_SOCKET);
            control.set(JAVA_INT, offset(CONTROL, "type"), SCM_RIGHTS);
            control.set(JAVA_INT, offset(CONTROL, "descriptor"), descriptor);
        }
        return message;
    }

    /** One that receives into {@code text}. */
    static MemorySegment receiving(Arena arena, MemorySegment text) {
        MemorySegment message = of(arena, text);
        control(arena, message);
        return message;
    }

    /** Names the socket that it goes to. */
    static void to(MemorySegment message, MemorySegment address) {
        message.set(ADDRESS, offset(MESSAGE, "name"), address);
        message.set(JAVA_INT, offset(MESSAGE, "name_length"), (int) address.byteSize());
    }

    /** The descriptor that came with a message; negative if none did. */
    static int descriptor(MemorySegment message) {
        if (message.get(JAVA_LONG, offset(MESSAGE, "control_length")) < CONTROL_USED) {
            return -1;
        }
        MemorySegment control = message.get(ADDRESS, offset(MESSAGE, "control")).reinterpret(CONTROL.byteSize());
        boolean came = control.get(JAVA_LONG, offset(CONTROL, "length")) == CONTROL_USED
                && control.get(JAVA_INT, offset(CONTROL, "level")) == SOL_SOCKET
                && control.get(JAVA_INT, offset(CONTROL, "type")) == SCM_RIGHTS;
        return came ? control.get(JAVA_INT, offset(CONTROL, "descriptor")) : -1;
    }

    private static MemorySegment of(Arena arena, MemorySegment text) {
        MemorySegment vector = arena.allocate(IOVEC);
        vector.set(ADDRESS, offset(IOVEC, "base"), text);
        vector.set(JAVA_LONG, offset(IOVEC, "length"), text.byteSize());
        MemorySegment message = arena.allocate(MESSAGE);
        message.set(ADDRESS, offset(MESSAGE, "vectors"), vector);
        message.set(JAVA_LONG, offset(MESSAGE, "vector_count"), 1);
        return message;
    }

    private static MemorySegment control(Arena arena, MemorySegment message) {
        MemorySegment control = arena.allocate(CONTROL);
        message.set(ADDRESS, offset(MESSAGE, "control"), control);
        message.set(JAVA_LONG, offset(MESSAGE, "control_length"), CONTROL.byteSize());
        return control;
    }

    private static long offset(StructLayout layout, String field) {
        return layout.byteOffset(PathElement.groupElement(field));
    }
}
