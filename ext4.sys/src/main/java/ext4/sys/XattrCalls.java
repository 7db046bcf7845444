// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Extended attributes, see xattr(7), of an open file or of a path whose last link isn't followed. Names are full names as
 * bytes. Belongs to the thread of its {@link TreeCalls}.
 */
public final class XattrCalls implements AutoCloseable {
    /** XATTR_LIST_MAX and XATTR_SIZE_MAX. */
    private static final int ROOM = 1 << 16;

    private final TreeCalls calls;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment path = arena.allocate(ROOM);
    private final MemorySegment name = arena.allocate(ROOM);
    private final MemorySegment value = arena.allocate(ROOM);

    /** Beside these calls, whose {@link TreeCalls#errno} tells why one failed. */
    public XattrCalls(TreeCalls calls) {
        this.calls = calls;
    }

    /** flistxattr(2); null if it fails. */
    public List<byte[]> list(int fd) {
        return split(
                calls.call(() -> (long) TreeFunctions.FLISTXATTR.invokeExact(calls.state(), fd, value, (long) ROOM)));
    }

    /** llistxattr(2); null if it fails. */
    public List<byte[]> list(byte[] file) {
        TreeCalls.c(path, file);
        return split(
                calls.call(() -> (long) TreeFunctions.LLISTXATTR.invokeExact(calls.state(), path, value, (long) ROOM)));
    }

    /** fgetxattr(2); null if it fails. */
    public byte[] get(int fd, byte[] attribute) {
        TreeCalls.c(name, attribute);
        return value(calls.call(
                () -> (long) TreeFunctions.FGETXATTR.invokeExact(calls.state(), fd, name, value, (long) ROOM)));
    }

    /** lgetxattr(2); null if it fails. */
    public byte[] get(byte[] file, byte[] attribute) {
        TreeCalls.c(path, file);
        TreeCalls.c(name, attribute);
        return value(calls.call(
                () -> (long) TreeFunctions.LGETXATTR.invokeExact(calls.state(), path, name, value, (long) ROOM)));
    }

    /** fsetxattr(2): 0 or the negative error number. */
    public int set(int fd, byte[] attribute, byte[] bytes) {
        long size = put(attribute, bytes);
        return (int)
                calls.call(() -> (int) TreeFunctions.FSETXATTR.invokeExact(calls.state(), fd, name, value, size, 0));
    }

    /** lsetxattr(2): 0 or the negative error number. */
    public int set(byte[] file, byte[] attribute, byte[] bytes) {
        return set(file, attribute, bytes, 0);
    }

    /** lsetxattr(2), flags 1 is XATTR_CREATE, 2 XATTR_REPLACE: 0 or the negative error number. */
    public int set(byte[] file, byte[] attribute, byte[] bytes, int flags) {
        TreeCalls.c(path, file);
        long size = put(attribute, bytes);
        return (int) calls.call(
                () -> (int) TreeFunctions.LSETXATTR.invokeExact(calls.state(), path, name, value, size, flags));
    }

    /** fremovexattr(2): 0 or the negative error number. */
    public int remove(int fd, byte[] attribute) {
        TreeCalls.c(name, attribute);
        return (int) calls.call(() -> (int) TreeFunctions.FREMOVEXATTR.invokeExact(calls.state(), fd, name));
    }

    /** lremovexattr(2): 0 or the negative error number. */
    public int remove(byte[] file, byte[] attribute) {
        TreeCalls.c(path, file);
        TreeCalls.c(name, attribute);
        return (int) calls.call(() -> (int) TreeFunctions.LREMOVEXATTR.invokeExact(calls.state(), path, name));
    }

    private long put(byte[] attribute, byte[] bytes) {
        TreeCalls.c(name, attribute);
        if (bytes.length > ROOM) {
            throw new IllegalArgumentException("a value of " + bytes.length + " bytes");
        }
        MemorySegment.copy(bytes, 0, value, JAVA_BYTE, 0, bytes.length);
        return bytes.length;
    }

    private byte[] value(long count) {
        return count < 0 ? null : value.asSlice(0, count).toArray(JAVA_BYTE);
    }

    private List<byte[]> split(long count) {
        if (count < 0) {
            return null;
        }
        List<byte[]> found = new ArrayList<>();
        long start = 0;
        for (long at = 0; at < count; at++) {
            if (value.get(JAVA_BYTE, at) == 0) {
                found.add(value.asSlice(start, at - start).toArray(JAVA_BYTE));
                start = at + 1;
            }
        }
        return found;
    }

    @Override
    public void close() {
        arena.close();
    }
}
