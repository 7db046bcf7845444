// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

import ext4.format.FormatException;
import ext4.format.dir.DirBlock;
import ext4.format.dir.DirTail;
import ext4.format.dir.DxNode;
import ext4.format.dir.DxRoot;

/**
 * Checksums and validity of one block of a directory. What a block is (entries, index root, index node) is told from its
 * bytes alone, since block 0 turns from one into the other while an older version of it is still being written.
 *
 * <p>Stateless; any thread.
 */
public final class DirBlockCheck {
    private DirBlockCheck() {}

    /**
     * Checks a block that enters memory: its checksum, and the chain of its entries. The slots of an index are checked
     * where they are followed, so that a directory with a broken index can still be read.
     *
     * @param inodeSeed checksum seed of the directory's inode
     * @param lblk for the evidence
     */
    public static void check(byte[] block, DirFormat format, int inodeSeed, long lblk) throws FormatException {
        if (format.metadataCsum() && !checksumMatches(block, inodeSeed)) {
            throw new FormatException("directory block", lblk, "checksum", "wrong", "that of its bytes");
        }
        if (!DxNode.isNode(block, format.metadataCsum())) {
            int end = format.entriesEnd(block);
            DirBlock.validate(block, 0, end, format.inodesCount(), lblk);
        }
    }

    private static boolean checksumMatches(byte[] block, int inodeSeed) {
        if (DxRoot.isRoot(block, true)) {
            return DxNode.verify(block, DxNode.ROOT, inodeSeed);
        }
        if (DxNode.isNode(block, true)) {
            return DxNode.verify(block, DxNode.NODE, inodeSeed);
        }
        return DirTail.verify(block, inodeSeed);
    }

    /** Stores the checksum of a block that is about to be written; does nothing where there is none. */
    public static void seal(byte[] block, DirFormat format, int inodeSeed) {
        if (!format.metadataCsum()) {
            return;
        }
        if (DxRoot.isRoot(block, true)) {
            DxNode.seal(block, DxNode.ROOT, inodeSeed);
        } else if (DxNode.isNode(block, true)) {
            DxNode.seal(block, DxNode.NODE, inodeSeed);
        } else {
            DirTail.seal(block, inodeSeed);
        }
    }
}
