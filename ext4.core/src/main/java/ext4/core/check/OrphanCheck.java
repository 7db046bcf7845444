// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.FormatException;
import ext4.format.inode.FileMode;
import ext4.format.inode.InodeChecksum;
import ext4.format.inode.InodeDtime;
import ext4.format.inode.InodeRecord;
import ext4.format.orphan.OrphanBlock;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;

/**
 * The two places of orphans. The chain is only looked at: a read-only check, like e2fsck -n, leaves it aside and
 * judges its inodes as what they are (freed, but with a zero or low deletion time).
 */
final class OrphanCheck {
    private static final int MOST_SHOWN = 1000;

    private final State state;
    private final Superblock sb;
    private final Report report;

    OrphanCheck(State state) {
        this.state = state;
        sb = state.fs.sb;
        report = state.report;
    }

    void chain() {
        int ino = SuperblockFields.lastOrphan(sb.bytes(), 0);
        byte[] record = new byte[sb.blockSize()];
        int length = 0;
        while (ino != 0 && length < MOST_SHOWN) {
            if (!state.fs.isInode(ino) || Integer.compareUnsigned(ino, sb.firstIno()) < 0) {
                report.note("Note: the orphaned inode list holds the invalid inode %d.", Integer.toUnsignedLong(ino));
                return;
            }
            int off = state.fs.readInode(ino, record);
            if (off < 0) {
                return;
            }
            length++;
            ino = InodeDtime.get(record, off);
        }
        if (length > 0) {
            report.note(
                    "Note: the orphaned inode list has %d inodes%s; it is left as it is.",
                    length, length == MOST_SHOWN ? " or more, or a cycle" : "");
        }
    }

    /** The orphan file: its blocks, and whether orphan_present says what is in them. */
    void file() {
        if (!sb.has(Feature.ORPHAN_FILE)) {
            if (sb.has(Feature.ORPHAN_PRESENT)) {
                report.problem("Feature orphan_present is set but feature orphan_file is not.");
            }
            if (state.fs.isInode(sb.orphanFileIno()) && state.inodes.used(sb.orphanFileIno())) {
                report.problem(
                        "Orphan file inode %d is not in use, but contains data.",
                        Integer.toUnsignedLong(sb.orphanFileIno()));
            }
            return;
        }
        int ino = sb.orphanFileIno();
        byte[] record = new byte[sb.blockSize()];
        int off = state.fs.isInode(ino) ? state.fs.readInode(ino, record) : -1;
        if (off < 0 || !FileMode.isRegular(InodeRecord.mode(record, off)) || InodeRecord.links(record, off) == 0) {
            report.problem("Orphan file (inode %d) is not a regular file in use.", Integer.toUnsignedLong(ino));
            return;
        }
        long size = InodeRecord.size(record, off);
        BlockList blocks = BlockList.of(state, ino, record, off, OrphanBlock.MAX_BLOCKS);
        if ((size & sb.blockSize() - 1) != 0
                || size >>> sb.blockBits() > OrphanBlock.MAX_BLOCKS
                || blocks.length() != size >>> sb.blockBits()
                || blocks.isDamaged()) {
            report.problem(
                    "Orphan file (inode %d) has a size (%d bytes, %d blocks) that its blocks do not have.",
                    Integer.toUnsignedLong(ino), size, blocks.length());
            return;
        }
        entries(ino, InodeRecord.generation(record, off), blocks);
    }

    private void entries(int ino, int generation, BlockList blocks) {
        int seed = InodeChecksum.seed(sb, ino, generation);
        byte[] b = new byte[sb.blockSize()];
        int used = 0;
        for (int i = 0; i < blocks.length(); i++) {
            if (!state.fs.read(blocks.get(i), 1, b, "the orphan file")) {
                continue;
            }
            try {
                OrphanBlock.check(sb, seed, blocks.get(i), b);
            } catch (FormatException e) {
                report.problem(
                        "Orphan file (inode %d) block %d is not clean (%s).",
                        Integer.toUnsignedLong(ino), i, e.getMessage());
                continue;
            }
            for (int slot = OrphanBlock.nextUsed(b, sb.blockSize(), 0);
                    slot >= 0;
                    slot = OrphanBlock.nextUsed(b, sb.blockSize(), slot + 1)) {
                used++;
            }
        }
        if (used > 0) {
            report.problem(
                    "Orphan file (inode %d) is not clean: it lists %d inodes.", Integer.toUnsignedLong(ino), used);
        } else if (sb.has(Feature.ORPHAN_PRESENT)) {
            report.problem("Feature orphan_present is set but orphan file is clean.");
        }
    }
}
