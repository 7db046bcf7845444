// SPDX-License-Identifier: Apache-2.0
package ext4.core.alloc;

import ext4.core.cache.BlockKind;
import ext4.core.volume.Evidence;
import ext4.format.group.GroupDesc;
import ext4.format.group.GroupLayout;
import ext4.format.superblock.Superblock;

/**
 * A block of group descriptors; the {@code index}-th of the filesystem.
 *
 * @param sums whether wrong checksums matter: as the kernel has it, they don't where nothing is written
 */
record DescBlockKind(Superblock sb, GroupLayout layout, int index, boolean sums) implements BlockKind {
    @Override
    public String what() {
        return "group descriptors";
    }

    @Override
    public long id() {
        return index;
    }

    @Override
    public void verify(byte[] block, long pblk) {
        for (int g = first(); g < end(); g++) {
            int group = g;
            int off = layout.descOffsetOf(group);
            if (sums) {
                Evidence.check(() -> GroupDesc.check(sb, group, block, off, pblk));
            } else {
                Evidence.check(() -> GroupDesc.checkPlaces(sb, group, block, off, pblk));
            }
        }
    }

    @Override
    public void seal(byte[] block, long pblk) {
        for (int g = first(); g < end(); g++) {
            GroupDesc.seal(sb, g, block, layout.descOffsetOf(g));
        }
    }

    private int first() {
        return index * sb.descsPerBlock();
    }

    private int end() {
        return Math.min(first() + sb.descsPerBlock(), sb.groupCount());
    }
}
