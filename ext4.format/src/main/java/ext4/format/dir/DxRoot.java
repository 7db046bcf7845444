// SPDX-License-Identifier: Apache-2.0
package ext4.format.dir;

import ext4.format.FormatException;
import ext4.format.Le;
import ext4.format.hash.NameHash;
import java.util.Arrays;

/**
 * Block 0 of an indexed directory: "." of 12 bytes, ".." over the rest of the block, and in that rest u32 0, u8
 * hash_version, u8 info_length (8), u8 indirect_levels, u8 flags, then the slots ({@link DxNode} with
 * {@link DxNode#ROOT}).
 *
 * <p>The array is exactly one block. Threads and locks as in {@link DxNode}.
 */
public final class DxRoot {
    private static final int DOT_DOT = 0x0C;
    private static final int RESERVED = 0x18;
    private static final int HASH_VERSION = 0x1C;
    private static final int INFO_LENGTH = 0x1D;
    private static final int LEVELS = 0x1E;
    private static final int FLAGS = 0x1F;
    private static final int INFO_SIZE = 8;

    private DxRoot() {}

    /** The version on disk, 0 to 2 (6 for SipHash): see {@link NameHash#effectiveVersion}. */
    public static int hashVersion(byte[] b) {
        return Le.u8(b, HASH_VERSION);
    }

    /** Levels of nodes between root and leaves: 0 to {@link #maxLevels}. */
    public static int levels(byte[] b) {
        return Le.u8(b, LEVELS);
    }

    /** The most levels allowed: 1, or 2 with the feature large_dir. */
    public static int maxLevels(boolean largeDir) {
        return largeDir ? 2 : 1;
    }

    /** The parent directory's inode, from "..". */
    public static int parent(byte[] b) {
        return DirEntry.inode(b, DOT_DOT);
    }

    /** The offset of "..", for {@link DirBlock#setTarget}. */
    public static int dotDot() {
        return DOT_DOT;
    }

    /**
     * Writes a root with one slot over the whole block.
     *
     * @param fileType {@link FileType#DIRECTORY}, or 0 without the feature filetype
     * @param hashVersion the version on disk, 0 to 2
     * @param lblk the logical block of the only child, a leaf
     */
    public static void init(
            byte[] b, int self, int parent, int fileType, int hashVersion, boolean metadataCsum, int lblk) {
        Arrays.fill(b, (byte) 0);
        DirBlock.initDots(b, b.length, self, parent, fileType);
        Le.put8(b, HASH_VERSION, hashVersion);
        Le.put8(b, INFO_LENGTH, INFO_SIZE);
        DxNode.initSlots(b, DxNode.ROOT, metadataCsum, lblk);
    }

    /**
     * Makes room in a full root: its slots move to a new node (a zeroed block, initialised here), which becomes its
     * only child, one level deeper. The caller checked {@link #maxLevels}.
     *
     * @param lblk where the new node stands
     */
    public static void pushDown(byte[] root, byte[] fresh, boolean metadataCsum, int lblk) {
        int count = DxNode.count(root, DxNode.ROOT);
        DxNode.init(fresh, metadataCsum, DxNode.child(root, DxNode.ROOT, 0));
        DxNode.copySlots(root, DxNode.ROOT, 1, fresh, DxNode.NODE, count);
        DxNode.setCount(root, DxNode.ROOT, 1);
        DxNode.setChild(root, DxNode.ROOT, 0, lblk);
        Le.put8(root, LEVELS, levels(root) + 1);
    }

    /**
     * Checks root, header and slots. A hash version that is known but not computed here passes: ask
     * {@link NameHash#isSupported}.
     *
     * @param dirBlocks length of the directory, blocks
     */
    public static void validate(byte[] b, boolean metadataCsum, boolean largeDir, int dirBlocks)
            throws FormatException {
        checkHeader(b, largeDir);
        DxNode.validateSlots(b, DxNode.ROOT, metadataCsum, dirBlocks, 0);
    }

    /** Whether block 0 of a directory is an index root rather than a block of entries: by what only a root holds. */
    public static boolean isRoot(byte[] b, boolean metadataCsum) {
        return DirEntry.recLen(b, 0) == DOT_DOT
                && DirEntry.recLen(b, DOT_DOT) == b.length - DOT_DOT
                && Le.i32(b, RESERVED) == 0
                && Le.u8(b, INFO_LENGTH) == INFO_SIZE
                && DxNode.slotsFit(b, DxNode.ROOT, metadataCsum);
    }

    /** Checks all but the slots, in constant time; see {@link DxNode#checkSlots}. */
    public static void checkHeader(byte[] b, boolean largeDir) throws FormatException {
        if (DirBlock.afterDots(b, b.length, 0) != b.length || DirEntry.recLen(b, 0) != DOT_DOT) {
            throw new FormatException("index root", 0, "rec_len of \"..\"", DirEntry.recLen(b, DOT_DOT), "whole block");
        }
        if (Le.i32(b, RESERVED) != 0) {
            throw new FormatException("index root", 0, "reserved_zero", Le.u32(b, RESERVED), "0");
        }
        if (hashVersion(b) > NameHash.SIPHASH) {
            throw new FormatException("index root", 0, "hash_version", hashVersion(b), "0 to 6");
        }
        if (Le.u8(b, INFO_LENGTH) != INFO_SIZE) {
            throw new FormatException("index root", 0, "info_length", Le.u8(b, INFO_LENGTH), "8");
        }
        if (levels(b) > maxLevels(largeDir)) {
            throw new FormatException("index root", 0, "indirect_levels", levels(b), "at most " + maxLevels(largeDir));
        }
        if ((Le.u8(b, FLAGS) & 1) != 0) {
            throw new FormatException("index root", 0, "unused_flags", Le.u8(b, FLAGS), "bit 0 clear");
        }
    }
}
