// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.format.extent.ExtentNode;
import ext4.format.fields.Field;
import ext4.format.fields.Fields;
import ext4.format.inode.BlockMap;
import ext4.format.inode.FileMode;
import ext4.format.inode.InodeChecksum;
import ext4.format.inode.InodeFlags;
import ext4.format.inode.InodeRecord;
import ext4.format.orphan.OrphanBlock;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;
import ext4.lab.fuzz.Part.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The structures of one inode: its map, and what is in its blocks. Reused for each. */
final class FileParts {
    private static final int MOST_ENTRIES = 12;
    private static final int NODE_HEADER = 12;
    private static final int NODE_ENTRY = 12;

    private final Dissection image;
    private final Superblock sb;
    private final DirParts dirs;
    private final XattrParts xattrs;
    private final JournalParts journal;

    private int ino;
    private long recordBlock;
    private int recordOff;
    private int nodes;
    /** Physical by logical block. */
    private final TreeMap<Long, Long> blocks = new TreeMap<>();

    FileParts(Dissection image) {
        this.image = image;
        sb = image.superblock();
        dirs = new DirParts(image);
        xattrs = new XattrParts(image);
        journal = new JournalParts(image);
    }

    void dissect(int inode, long pblk, byte[] b, int off) {
        ino = inode;
        recordBlock = pblk;
        recordOff = off;
        nodes = 0;
        blocks.clear();
        int mode = InodeRecord.mode(b, off);
        xattrs.dissect(ino, pblk, b, off);
        boolean mapped = FileMode.isRegular(mode)
                || FileMode.isDirectory(mode)
                || FileMode.isSymlink(mode) && !InodeRecord.isFastSymlink(sb, b, off);
        if (!mapped) {
            return;
        }
        if (InodeFlags.has(InodeRecord.flags(b, off), InodeFlags.EXTENTS)) {
            extents(b, InodeRecord.iBlock(off), -1);
        } else {
            pointers(b, off);
        }
        blocks.values().stream().limit(2).forEach(image::note);
        if (FileMode.isDirectory(mode)) {
            boolean indexed = InodeFlags.has(InodeRecord.flags(b, off), InodeFlags.INDEX);
            dirs.dissect(ino, blocks, indexed, seedOf());
        } else if (ino == sb.journalIno() && sb.has(Feature.HAS_JOURNAL)) {
            journal.dissect(blocks);
        } else if (sb.has(Feature.ORPHAN_FILE) && ino == sb.orphanFileIno()) {
            orphanFile();
        }
    }

    /** @param pblk the node's block, -1 for the root */
    private void extents(byte[] b, int off, long pblk) {
        boolean root = pblk < 0;
        boolean leaf = ExtentNode.isLeaf(b, off);
        int entries = ExtentNode.entries(b, off);
        List<Field> fields = new ArrayList<>(Fields.EXTENT_HEADER);
        for (int i = 0; i <= entries && i < MOST_ENTRIES && i < ExtentNode.max(b, off); i++) {
            fields.addAll(Dissection.at(
                    NODE_HEADER + i * NODE_ENTRY, "e" + i + ".", leaf ? Fields.EXTENT : Fields.EXTENT_INDEX));
        }
        String name = "extents " + ino + (root ? "" : "/" + nodes++);
        if (root) {
            image.add(
                    Kind.EXTENTS,
                    name,
                    recordBlock,
                    off,
                    InodeRecord.I_BLOCK_BYTES,
                    fields,
                    image.sealInode(ino, recordBlock, recordOff));
        } else {
            image.add(Kind.EXTENTS, name, pblk, 0, sb.blockSize(), fields, sealNode(pblk, seedOf()));
        }
        for (int i = 0; i < entries; i++) {
            if (leaf) {
                map(
                        Integer.toUnsignedLong(ExtentNode.lblk(b, off, i)),
                        ExtentNode.start(b, off, i),
                        ExtentNode.length(b, off, i));
            } else {
                long child = ExtentNode.child(b, off, i);
                extents(image.read(child), 0, child);
            }
        }
    }

    private Seed seedOf() {
        int inode = ino;
        long block = recordBlock;
        int off = recordOff;
        return canvas -> InodeChecksum.seed(sb, inode, InodeRecord.generation(canvas.copy(block), off));
    }

    /** What the checksums of an inode's blocks begin with. */
    @FunctionalInterface
    interface Seed {
        int of(Canvas canvas);
    }

    private Part.Seal sealNode(long pblk, Seed seed) {
        return canvas -> {
            byte[] b = canvas.block(pblk);
            if (ExtentNode.max(b, 0) <= ExtentNode.blockMax(b.length)) {
                ExtentNode.seal(sb, seed.of(canvas), b, 0);
            }
        };
    }

    private void map(long lblk, long pblk, int count) {
        for (int i = 0; i < count; i++) {
            blocks.put(lblk + i, pblk + i);
        }
    }

    private void pointers(byte[] b, int off) {
        image.add(
                Kind.BLOCK_MAP,
                "map " + ino,
                recordBlock,
                InodeRecord.iBlock(off),
                InodeRecord.I_BLOCK_BYTES,
                Fields.BLOCK_MAP_ROOT,
                image.sealInode(ino, recordBlock, recordOff));
        long lblk = 0;
        int bits = sb.blockBits() - 2;
        for (int slot = 0; slot < Fields.BLOCK_MAP_ROOT.size(); slot++) {
            int levels = Math.max(0, slot - 11);
            pointer(BlockMap.root(b, off, slot), lblk, levels);
            lblk += 1L << bits * levels;
        }
    }

    private void pointer(long pblk, long lblk, int levels) {
        if (pblk == 0) {
            return;
        }
        if (levels == 0) {
            blocks.put(lblk, pblk);
            return;
        }
        int count = sb.blockSize() / 4;
        image.add(
                Kind.BLOCK_MAP,
                "map " + ino + "/" + nodes++,
                pblk,
                0,
                sb.blockSize(),
                Fields.pointers(Math.min(count, MOST_ENTRIES)),
                Part.Seal.NONE);
        byte[] b = image.read(pblk);
        for (int i = 0; i < count; i++) {
            pointer(BlockMap.pointer(b, i), lblk + ((long) i << (sb.blockBits() - 2) * (levels - 1)), levels - 1);
        }
    }

    private void orphanFile() {
        Seed seed = seedOf();
        int tail = sb.blockSize() - 8;
        blocks.forEach((lblk, pblk) -> {
            List<Field> fields = Fields.both(Fields.slots(MOST_ENTRIES), Dissection.at(tail, "", Fields.ORPHAN_TAIL));
            image.add(
                    Kind.ORPHANS,
                    "orphans " + lblk,
                    pblk,
                    0,
                    sb.blockSize(),
                    fields,
                    canvas -> OrphanBlock.seal(sb, seed.of(canvas), pblk, canvas.block(pblk)));
        });
    }
}
