// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.FormatException;
import ext4.format.dir.DirEntry;
import ext4.format.dir.DxNode;
import ext4.format.dir.DxRoot;
import ext4.format.hash.NameHash;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;

/**
 * The index of a directory. Blocks come in any order relative to the tree, so what each slot promises and what each
 * block holds is kept by block and compared when the directory ends.
 */
final class HtreeCheck {
    private final State state;
    private final Superblock sb;
    private final HtreeBlocks blocks = new HtreeBlocks();
    private long ino;
    private int levels;
    private NameHash hash;

    HtreeCheck(State state) {
        this.state = state;
        sb = state.fs.sb;
    }

    void begin(long directory) {
        ino = directory;
        hash = null;
        blocks.clear();
    }

    /** The hash of the directory's names. */
    NameHash hash() {
        return hash;
    }

    /** The first block; whether it is a root that can be followed. */
    boolean root(byte[] b, int seed) {
        try {
            DxRoot.checkHeader(b, sb.has(Feature.LARGE_DIR));
            DxNode.checkSlots(b, DxNode.ROOT, sb.metadataCsum(), 0);
        } catch (FormatException e) {
            state.report.problem("HTREE directory inode %d has an invalid root node (%s).", ino, e.getMessage());
            return false;
        }
        int version = NameHash.effectiveVersion(DxRoot.hashVersion(b), sb.hashUnsigned());
        if (DxRoot.hashVersion(b) > NameHash.TEA) {
            state.report.problem(
                    "HTREE directory inode %d has an unsupported hash version (%d).", ino, DxRoot.hashVersion(b));
            return false;
        }
        hash = NameHash.of(version, sb.hashSeed());
        levels = DxRoot.levels(b);
        if (sb.metadataCsum() && !DxNode.verify(b, DxNode.ROOT, seed)) {
            state.report.problem("HTREE directory inode %d: root node fails checksum.", ino);
        }
        blocks.kind(0, HtreeBlocks.ROOT);
        slots(b, DxNode.ROOT, 0);
        return true;
    }

    /** A later block; whether it is an index node. */
    boolean node(byte[] b, int lblk, int seed) {
        if (levels == 0 || !DxNode.isNode(b, sb.metadataCsum())) {
            return false;
        }
        if (DirEntry.nameLen(b, 0) != 0 || DirEntry.fileType(b, 0) != 0) {
            state.report.problem(
                    "HTREE directory inode %d: internal node (block #%d) does not begin with an empty entry.",
                    ino, lblk);
        }
        if (sb.metadataCsum() && !DxNode.verify(b, DxNode.NODE, seed)) {
            state.report.problem("HTREE directory inode %d: internal node (block #%d) fails checksum.", ino, lblk);
        }
        blocks.kind(lblk, HtreeBlocks.NODE);
        slots(b, DxNode.NODE, lblk);
        return true;
    }

    /** A block of entries. */
    void leaf(int lblk, DirNames names) {
        blocks.kind(lblk, HtreeBlocks.LEAF);
        if (names.hasRange()) {
            blocks.range(lblk, names.lowest(), names.highest());
        }
    }

    private void slots(byte[] b, int base, int lblk) {
        int count = DxNode.count(b, base);
        for (int i = 0; i < count; i++) {
            int child = DxNode.child(b, base, i);
            boolean last = i + 1 == count;
            if (i > 0 && Integer.compareUnsigned(DxNode.hash(b, base, i), DxNode.hash(b, base, i - 1)) < 0) {
                state.report.problem(
                        "Entry #%d in HTREE directory inode %d (block #%d): hash (0x%08x) is out of order.",
                        i, ino, lblk, DxNode.hash(b, base, i));
            }
            if (child == 0 || !blocks.refer(child, lblk)) {
                state.report.problem(
                        "HTREE directory inode %d: block #%d referenced twice, or the root (slot %d of block #%d).",
                        ino, child, i, lblk);
                continue;
            }
            blocks.promise(child, i == 0, DxNode.hash(b, base, i), last, last ? 0 : DxNode.hash(b, base, i + 1));
        }
    }

    /** Compares, for a directory of so many blocks. */
    void end(long blockCount) {
        if (hash == null) {
            return;
        }
        for (int lblk = 1; lblk < blocks.size(); lblk++) {
            if (lblk >= blockCount || blocks.kind(lblk) == 0) {
                if (blocks.isReferred(lblk)) {
                    state.report.problem(
                            "Problem in HTREE directory inode %d: slot of block #%d has bad block number %d.",
                            ino, blocks.parent(lblk), lblk);
                }
                continue;
            }
            block(lblk);
        }
    }

    private void block(int lblk) {
        if (!blocks.isReferred(lblk)) {
            state.report.problem("Problem in HTREE directory inode %d: block #%d not referenced.", ino, lblk);
            return;
        }
        int depth = blocks.depth(lblk);
        int expected = blocks.kind(lblk) == HtreeBlocks.LEAF ? levels + 1 : 1;
        int most = blocks.kind(lblk) == HtreeBlocks.LEAF ? levels + 1 : levels;
        if (depth < expected || depth > most) {
            state.report.problem("Problem in HTREE directory inode %d: block #%d has bad depth.", ino, lblk);
            return;
        }
        if (!blocks.hasRange(lblk)) {
            return;
        }
        long low = blocks.low(lblk) & ~1L;
        long high = blocks.high(lblk);
        if (blocks.min(lblk) < low) {
            state.report.problem(
                    "Problem in HTREE directory inode %d: block #%d has bad min hash (0x%08x, slot 0x%08x).",
                    ino, lblk, blocks.min(lblk), low);
        }
        // names of the next slot's own hash stay here only if its low bit says so
        long most32 = (high & 1) != 0 ? high & ~1L : high - 1;
        if (blocks.max(lblk) > most32) {
            state.report.problem(
                    "Problem in HTREE directory inode %d: block #%d has bad max hash (0x%08x, next slot 0x%08x).",
                    ino, lblk, blocks.max(lblk), high);
        }
    }
}
