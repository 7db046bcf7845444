// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import ext4.format.FormatException;
import ext4.format.group.GroupDesc;
import ext4.format.group.GroupLayout;
import ext4.format.superblock.Superblock;
import java.util.HashSet;
import java.util.Set;

/** Where the blocks lie whose loss counts as an error of the filesystem whoever reads them. */
final class Geometry {
    private final int blockSize;
    private final Set<Long> blocks = new HashSet<>();

    /** Of the images made from this one. */
    Geometry(Snapshot image) throws FormatException {
        Superblock sb = Superblock.parse(image.bytes(Superblock.BYTE_OFFSET, Superblock.SIZE));
        GroupLayout layout = new GroupLayout(sb);
        blockSize = sb.blockSize();
        for (int group = 0; group < sb.groupCount(); group++) {
            byte[] desc = image.bytes(layout.descBlockOf(group) * blockSize, blockSize);
            int off = layout.descOffsetOf(group);
            blocks.add(GroupDesc.blockBitmap(desc, off, sb.descSize()));
            blocks.add(GroupDesc.inodeBitmap(desc, off, sb.descSize()));
            long table = GroupDesc.inodeTable(desc, off, sb.descSize());
            for (int i = 0; i < sb.inodeTableBlocks(); i++) {
                blocks.add(table + i);
            }
        }
    }

    /** Whether a bitmap or a block of an inode table lies at that byte. */
    boolean isVital(long offset) {
        return blocks.contains(offset / blockSize);
    }
}
