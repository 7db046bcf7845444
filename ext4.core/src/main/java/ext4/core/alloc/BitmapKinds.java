// SPDX-License-Identifier: Apache-2.0
package ext4.core.alloc;

import ext4.api.fs.CorruptException;
import ext4.core.cache.BlockKind;
import ext4.format.group.Bitmap;
import ext4.format.group.BitmapChecksum;
import ext4.format.group.GroupDesc;
import ext4.format.group.GroupLayout;
import ext4.format.superblock.Superblock;

/** The two bitmaps of a group. Their checksums stand in the descriptor, so sealing has nothing to do. */
final class BitmapKinds {
    private BitmapKinds() {}

    record Blocks(GroupTable groups, int group) implements BlockKind {
        @Override
        public Loss loss() {
            return Loss.ALWAYS;
        }

        @Override
        public String what() {
            return "block bitmap of group " + group;
        }

        @Override
        public long id() {
            return group;
        }

        @Override
        public boolean synthesize(byte[] block, long pblk) {
            GroupLayout layout = groups.volume().layout();
            if ((groups.group(group).flags & GroupDesc.BLOCK_UNINIT) == 0) {
                return false;
            }
            layout.synthesizeBlockBitmap(group, groups.descBlock(group), layout.descOffsetOf(group), block);
            checkCount(block, pblk);
            return true;
        }

        @Override
        public void verify(byte[] block, long pblk) {
            Superblock sb = groups.volume().superblock();
            int off = groups.volume().layout().descOffsetOf(group);
            if (!BitmapChecksum.verifyBlocks(sb, block, groups.descBlock(group), off)) {
                int stored = GroupDesc.blockBitmapChecksum(groups.descBlock(group), off, sb.descSize());
                throw checksum(what(), pblk, stored, BitmapChecksum.blocks(sb, block));
            }
            long free = groups.zone().firstFree(group, block);
            if (free >= 0) {
                throw new CorruptException(what(), pblk, "bit of metadata block " + free, "clear", "set");
            }
            checkCount(block, pblk);
        }

        private void checkCount(byte[] block, long pblk) {
            Group g = groups.group(group);
            int clear = Bitmap.countClear(block, 0, g.blocks);
            if (clear != g.freeBlocks) {
                throw new CorruptException(
                        what(), pblk, "bg_free_blocks_count", "" + g.freeBlocks, clear + " as the bitmap has clear");
            }
        }

        @Override
        public void seal(byte[] block, long pblk) {
            // in the descriptor, see GroupTable.closing
        }
    }

    record Inodes(GroupTable groups, int group) implements BlockKind {
        @Override
        public Loss loss() {
            return Loss.ALWAYS;
        }

        @Override
        public String what() {
            return "inode bitmap of group " + group;
        }

        @Override
        public long id() {
            return group;
        }

        @Override
        public boolean synthesize(byte[] block, long pblk) {
            if ((groups.group(group).flags & GroupDesc.INODE_UNINIT) == 0) {
                return false;
            }
            groups.volume().layout().synthesizeInodeBitmap(block);
            return true;
        }

        @Override
        public void verify(byte[] block, long pblk) {
            Superblock sb = groups.volume().superblock();
            int off = groups.volume().layout().descOffsetOf(group);
            if (!BitmapChecksum.verifyInodes(sb, block, groups.descBlock(group), off)) {
                int stored = GroupDesc.inodeBitmapChecksum(groups.descBlock(group), off, sb.descSize());
                throw checksum(what(), pblk, stored, BitmapChecksum.inodes(sb, block));
            }
            int clear = Bitmap.countClear(block, 0, sb.inodesPerGroup());
            int free = groups.group(group).freeInodes;
            if (clear != free) {
                throw new CorruptException(
                        what(), pblk, "bg_free_inodes_count", "" + free, clear + " as the bitmap has clear");
            }
        }

        @Override
        public void seal(byte[] block, long pblk) {
            // in the descriptor, see GroupTable.closing
        }
    }

    private static CorruptException checksum(String what, long pblk, int stored, int computed) {
        return new CorruptException(
                what, pblk, "checksum", "0x" + Integer.toHexString(stored), "0x" + Integer.toHexString(computed));
    }
}
