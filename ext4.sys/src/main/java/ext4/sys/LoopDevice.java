// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A file as a block device, see loop(4). Needs root. */
public final class LoopDevice implements AutoCloseable {
    /** linux/loop.h. */
    private static final long LOOP_SET_FD = 0x4C00;

    private static final long LOOP_CLR_FD = 0x4C01;
    private static final long LOOP_CTL_GET_FREE = 0x4C82;
    /** Another process may take the device that was free a moment ago. */
    private static final int ATTEMPTS = 100;

    private final String path;

    private LoopDevice(String path) {
        this.path = path;
    }

    /**
     * Makes a device of a file.
     *
     * @throws IllegalStateException telling the error number's meaning, if it can't be
     */
    public static LoopDevice attach(String file) {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            int image = must("open " + file, calls.open(file, SystemCalls.O_RDWR | SystemCalls.O_CLOEXEC));
            try {
                return attach(calls, image);
            } finally {
                calls.close(image);
            }
        }
    }

    private static LoopDevice attach(SystemCalls calls, int image) {
        int control = must("open /dev/loop-control", calls.open("/dev/loop-control", SystemCalls.O_RDWR));
        try {
            int result = -Linux.EBUSY;
            for (int attempt = 0; attempt < ATTEMPTS && result == -Linux.EBUSY; attempt++) {
                int number = must("a free loop device", calls.ioctl(control, LOOP_CTL_GET_FREE, MemorySegment.NULL));
                String path = "/dev/loop" + number;
                int device = must("open " + path, calls.open(path, SystemCalls.O_RDWR | SystemCalls.O_CLOEXEC));
                result = calls.ioctl(device, LOOP_SET_FD, MemorySegment.ofAddress(image));
                calls.close(device);
                if (result == 0) {
                    return new LoopDevice(path);
                }
            }
            must("LOOP_SET_FD", result);
            throw new IllegalStateException("no loop device");
        } finally {
            calls.close(control);
        }
    }

    /** The block special file. */
    public String path() {
        return path;
    }

    /** Lets the file go, once nobody uses the device. */
    @Override
    public void close() {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            int device = must("open " + path, calls.open(path, SystemCalls.O_RDWR | SystemCalls.O_CLOEXEC));
            int result = calls.ioctl(device, LOOP_CLR_FD, MemorySegment.NULL);
            calls.close(device);
            must("LOOP_CLR_FD of " + path, result);
        }
    }

    private static int must(String what, int result) {
        if (result < 0) {
            throw new IllegalStateException(what + ": " + Linux.errorText(-result));
        }
        return result;
    }
}
