// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.api.block.BlockDevice;
import ext4.core.extent.Mapping;
import ext4.core.volume.Volume;
import java.nio.ByteBuffer;

/** File contents on the device, straight from and to the caller's buffer. The inode's lock is held. */
final class DeviceBytes {
    private static final byte[] ZEROS = new byte[4096];

    private final BlockDevice device;
    private final int bits;

    DeviceBytes(Volume volume) {
        device = volume.device();
        bits = volume.superblock().blockBits();
    }

    /** Byte of the device where byte {@code offset} of the file lies, within a run that is allocated. */
    long position(Mapping run, long offset) {
        return (run.pblk << bits) + offset - (run.lblk << bits);
    }

    /** The byte of the file behind a run. */
    long end(Mapping run) {
        return (run.lblk + run.count) << bits;
    }

    /** Reads {@code count} bytes into the buffer. */
    void read(long position, ByteBuffer dst, int count) {
        int limit = dst.limit();
        dst.limit(dst.position() + count);
        try {
            device.read(position, dst);
        } finally {
            dst.limit(limit);
        }
    }

    /** Writes {@code count} bytes of the buffer. */
    void write(long position, ByteBuffer src, int count) {
        int limit = src.limit();
        src.limit(src.position() + count);
        try {
            device.write(position, src);
        } finally {
            src.limit(limit);
        }
    }

    /** Makes a range of the device read as zeros. */
    void zero(long position, long count) {
        if (count > 0) {
            device.zero(position, count);
        }
    }

    /** Puts {@code count} zeros into the buffer. */
    static void putZeros(ByteBuffer dst, int count) {
        for (int left = count; left > 0; ) {
            int part = Math.min(left, ZEROS.length);
            dst.put(ZEROS, 0, part);
            left -= part;
        }
    }
}
