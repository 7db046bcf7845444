// SPDX-License-Identifier: Apache-2.0
package ext4.format.inode;

import ext4.format.Le;

/**
 * The number of a device node. In memory it is the kernel's 32-bit form, as FUSE passes it: the minor's low 8 bits, 12
 * bits of major from bit 8, the rest of the minor from bit 20. On disk small numbers (both below 256) stand in the first
 * word of i_block as major and minor byte, others in the second in the 32-bit form.
 */
public final class DeviceNumber {
    private DeviceNumber() {}

    /** The number of a major (12 bits) and a minor (20 bits). */
    public static int of(int major, int minor) {
        return minor & 0xFF | major << 8 & 0xFFF00 | (minor & ~0xFF) << 12;
    }

    public static int major(int rdev) {
        return rdev >>> 8 & 0xFFF;
    }

    public static int minor(int rdev) {
        return rdev & 0xFF | rdev >>> 12 & 0xFFF00;
    }

    /** The number in the record at {@code off}, which must be a device's. */
    public static int get(byte[] b, int off) {
        int small = Le.i32(b, off + InodeRecord.I_BLOCK);
        return small != 0 ? of(small >>> 8 & 0xFF, small & 0xFF) : Le.i32(b, off + InodeRecord.I_BLOCK + 4);
    }

    /** The number in 60 bytes of i_block alone. */
    public static int ofIBlock(byte[] iBlock) {
        return get(iBlock, -InodeRecord.I_BLOCK);
    }

    /** Stores the number in 60 bytes of i_block alone. */
    public static void setIBlock(byte[] iBlock, int rdev) {
        set(iBlock, -InodeRecord.I_BLOCK, rdev);
    }

    /** Stores the number in the record at {@code off}, in the first two words of i_block. */
    public static void set(byte[] b, int off, int rdev) {
        boolean small = major(rdev) < 256 && minor(rdev) < 256;
        Le.put32(b, off + InodeRecord.I_BLOCK, small ? major(rdev) << 8 | minor(rdev) : 0);
        Le.put32(b, off + InodeRecord.I_BLOCK + 4, small ? 0 : rdev);
    }
}
