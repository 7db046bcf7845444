// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * What statvfs(3) tells of a mounted filesystem.
 *
 * @param blockSize bytes
 * @param blocks of its size
 * @param free free blocks
 * @param available free blocks for all users
 * @param files inodes
 * @param filesFree free inodes
 */
public record VolumeStatus(long blockSize, long blocks, long free, long available, long files, long filesFree) {
    /** struct statvfs of the C library on 64-bit Linux. */
    private static final int BYTES = 112;

    private static final MethodHandle FSTATVFS =
            Functions.plain("fstatvfs", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle SYNCFS = Functions.plain("syncfs", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    /** fstatvfs(3) of an open file; null if it fails ({@link TreeCalls#errno}). */
    public static VolumeStatus of(TreeCalls calls, int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment b = arena.allocate(BYTES, Long.BYTES);
            if (calls.call(() -> (int) FSTATVFS.invokeExact(calls.state(), fd, b)) < 0) {
                return null;
            }
            return new VolumeStatus(
                    b.get(JAVA_LONG, 8),
                    b.get(JAVA_LONG, 16),
                    b.get(JAVA_LONG, 24),
                    b.get(JAVA_LONG, 32),
                    b.get(JAVA_LONG, 40),
                    b.get(JAVA_LONG, 48));
        }
    }

    /** syncfs(2): all of the filesystem that the open file is on; 0 or the negative error number. */
    public static int sync(TreeCalls calls, int fd) {
        return (int) calls.call(() -> (int) SYNCFS.invokeExact(calls.state(), fd));
    }
}
