// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.journal;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/** What test blocks hold: bytes made from a value, a checksum at the end; every seventh looks like a control block. */
public final class Content {
    private static final int MAGIC = 0xC03B3998;
    private static final int ESCAPE_EVERY = 7;

    private Content() {}

    /** Sets all but the checksum. */
    public static void fill(byte[] block, long pblk, long value) {
        new SplittableRandom(pblk * 1_000_003 + value).nextBytes(block);
        ByteBuffer view = ByteBuffer.wrap(block);
        view.putInt(0, value % ESCAPE_EVERY == 0 ? MAGIC : 1 + (int) (value & 0xFFFF));
        view.putLong(8, value);
        view.putInt(block.length - 4, 0);
    }

    /** A whole block, sealed. */
    public static byte[] sealed(int size, long pblk, long value) {
        byte[] block = new byte[size];
        fill(block, pblk, value);
        seal(block);
        return block;
    }

    /** Puts in the checksum. */
    public static void seal(byte[] block) {
        CRC32 crc = new CRC32();
        crc.update(block, 0, block.length - 4);
        ByteBuffer.wrap(block).putInt(block.length - 4, (int) crc.getValue());
    }

    /** The value of the block at a byte offset of a device. */
    public static long value(byte[] device, long offset) {
        return ByteBuffer.wrap(device).getLong((int) offset + 8);
    }
}
