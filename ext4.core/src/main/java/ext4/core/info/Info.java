// SPDX-License-Identifier: Apache-2.0
package ext4.core.info;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CorruptException;
import ext4.format.FormatException;
import ext4.format.superblock.RawSuperblock;
import ext4.format.superblock.Superblock;
import java.io.PrintWriter;
import java.nio.ByteBuffer;

/** The text of {@code dumpe2fs -h} (dumpe2fs(8)): superblock, then journal. */
public final class Info {
    private Info() {}

    /**
     * Prints the text. Features that nothing here supports don't matter: then the journal's part may be missing.
     *
     * @param device with or without a mounted filesystem; it is only read
     * @throws CorruptException if there is no ext4 superblock
     * @throws ext4.api.fs.DeviceException if the device fails
     */
    public static void print(BlockDevice device, PrintWriter out) {
        byte[] bytes = new byte[Superblock.SIZE];
        if (device.size() < Superblock.BYTE_OFFSET + Superblock.SIZE) {
            throw new CorruptException(
                    "superblock of " + device.name(), -1, "device size", device.size() + " bytes", "2048 at least");
        }
        device.read(Superblock.BYTE_OFFSET, ByteBuffer.wrap(bytes));
        RawSuperblock sb = new RawSuperblock(bytes, 0);
        if (sb.magic() != Superblock.MAGIC) {
            throw new CorruptException(
                    "superblock of " + device.name(),
                    -1,
                    "s_magic",
                    "0x" + Integer.toHexString(sb.magic()),
                    "0xef53 (an ext4 filesystem)");
        }
        Lines lines = new Lines(out);
        new SuperblockText(sb, lines).print();
        try {
            new JournalText(device, sb, lines).print();
        } catch (FormatException e) {
            lines.text("Journal:", "cannot be shown: " + e.getMessage());
        }
        out.flush();
    }
}
