// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.channel;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import ext4.api.fs.DeviceException;
import ext4.fuse.wire.Notification;
import ext4.fuse.wire.Replies.Header;
import ext4.sys.Linux;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Opens {@code /dev/fuse} and clones of a connection, so that readers do not meet in one descriptor's queue. */
public final class Descriptors {
    /** Most bytes of one WRITE or READ: 256 pages, the most that the kernel's default limit allows. */
    public static final int MAX_WRITE = 1 << 20;
    /** Room for the largest request; the kernel asks for a page more than the data. */
    public static final int REQUEST_BYTES = MAX_WRITE + 4096;
    /** Room for the largest reply. */
    public static final int REPLY_BYTES = MAX_WRITE + 4096;

    private static final String DEVICE = "/dev/fuse";
    private static final int FLAGS = SystemCalls.O_RDWR | SystemCalls.O_NONBLOCK | SystemCalls.O_CLOEXEC;
    private static final long FUSE_DEV_IOC_CLONE = 0x8004E500L;

    private Descriptors() {}

    /**
     * Opens the device.
     *
     * @throws DeviceException in words that say what to do
     */
    public static int open(SystemCalls calls) {
        int fd = calls.open(DEVICE, FLAGS);
        if (fd >= 0) {
            return fd;
        }
        throw new DeviceException(
                switch (-fd) {
                    case Linux.ENOENT, Linux.ENODEV -> DEVICE + ": no such device; load the kernel's fuse module";
                    case Linux.EACCES, Linux.EPERM ->
                        DEVICE + ": permission denied; a user can mount only if it is open to him (chmod 666 " + DEVICE
                                + ")";
                    default -> DEVICE + ": " + Linux.errorText(-fd);
                });
    }

    /**
     * A further descriptor of the connection that {@code fd} belongs to.
     *
     * @throws DeviceException if the kernel refuses
     */
    public static int clone(SystemCalls calls, int fd) {
        int clone = open(calls);
        int result;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment old = arena.allocateFrom(JAVA_INT, fd);
            result = calls.ioctl(clone, FUSE_DEV_IOC_CLONE, old);
        }
        if (result < 0) {
            calls.close(clone);
            throw new DeviceException(DEVICE + ": clone: " + Linux.errorText(-result));
        }
        return clone;
    }

    /**
     * Asks the kernel to send again what was read from any descriptor of the connection and not answered. Nobody may be
     * answering such a request.
     *
     * @throws DeviceException if the kernel refuses
     */
    public static void resend(SystemCalls calls, int fd) {
        long written;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment notification = arena.allocate(Header.SIZE, Long.BYTES);
            notification.set(JAVA_INT, Header.LEN, Header.SIZE);
            notification.set(JAVA_INT, Header.ERROR, Notification.RESEND);
            written = calls.write(fd, notification, Header.SIZE);
        }
        if (written < 0 && written != -Linux.ENODEV && written != -Linux.EPERM) { // not if it is unmounted
            throw new DeviceException(DEVICE + ": asking for requests again: " + Linux.errorText((int) -written));
        }
    }
}
