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

    /**
     * Writes {@code count} bytes of the buffer into blocks whose contents mean nothing, with zeros around them; the first
     * begins at {@code head} of the first block. A block is written in one request: between two, a crash could show
     * something of what was in it before beside what is new.
     *
     * @return blocks written
     */
    int writeBlocks(long position, int head, ByteBuffer src, int count) {
        int size = 1 << bits;
        int left = count;
        long at = position;
        if (head > 0) {
            int part = Math.min(left, size - head);
            writeBlock(at, head, src, part);
            at += size;
            left -= part;
        }
        int whole = left & -size;
        if (whole > 0) {
            write(at, src, whole);
            at += whole;
            left -= whole;
        }
        if (left > 0) {
            writeBlock(at, 0, src, left);
            at += size;
        }
        return (int) (at - position >>> bits);
    }

    private void writeBlock(long position, int head, ByteBuffer src, int count) {
        ByteBuffer block = ByteBuffer.allocate(1 << bits);
        block.put(head, src, src.position(), count);
        device.write(position, block);
        src.position(src.position() + count);
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
