// SPDX-License-Identifier: Apache-2.0
package ext4.format.superblock;

import ext4.format.FormatException;
import ext4.format.Le;

/**
 * Everything an untrusted superblock can lie about. The order matters: each test relies on those before it, and no sum
 * here can overflow a long.
 */
final class SuperblockCheck {
    private static final int MAX_LOG_BLOCK_SIZE = 6;
    private static final int MAX_LOG_CLUSTER_SIZE = 19;
    private static final int MIN_FIRST_INO = 11;
    private static final int CSUM_CRC32C = 1;

    private final byte[] raw;
    private final Features features;
    private int blockBits;
    private int clusterRatioBits;
    private long blocksCount;
    private long groupCount;
    private int inodeSize;
    private int descSize;

    SuperblockCheck(byte[] raw, Features features) {
        this.raw = raw;
        this.features = features;
    }

    int blockBits() {
        return blockBits;
    }

    long blocksCount() {
        return blocksCount;
    }

    long groupCount() {
        return groupCount;
    }

    int inodeSize() {
        return inodeSize;
    }

    int descSize() {
        return descSize;
    }

    static void identity(byte[] b, int off) throws FormatException {
        if (off < 0 || b.length - off < Superblock.SIZE) {
            throw new FormatException("superblock", FormatException.UNKNOWN_BLOCK, "length", b.length - off, "1024");
        }
        int magic = Le.u16(b, off + SuperblockOffsets.MAGIC);
        if (magic != Superblock.MAGIC) {
            throw bad("s_magic", "0x" + Integer.toHexString(magic), "0xef53 (an ext4 filesystem)");
        }
        long revision = Le.u32(b, off + SuperblockOffsets.REV_LEVEL);
        if (revision > 1) {
            throw bad("s_rev_level", Long.toString(revision), "0 or 1");
        }
        if (!Superblock.features(b, off).has(Feature.METADATA_CSUM)) {
            return;
        }
        int type = Le.u8(b, off + SuperblockOffsets.CHECKSUM_TYPE);
        if (type != CSUM_CRC32C) {
            throw bad("s_checksum_type", Integer.toString(type), "1 (crc32c)");
        }
        if (!SuperblockFields.verify(b, off)) {
            throw bad(
                    "s_checksum",
                    "0x" + Integer.toHexString(Le.i32(b, off + SuperblockOffsets.CHECKSUM)),
                    "0x" + Integer.toHexString(SuperblockFields.checksum(b, off)));
        }
    }

    void all() throws FormatException {
        sizes();
        inodeAndDescriptorSizes();
        groups();
        blocks();
        inodes();
        descriptorTable();
    }

    private void sizes() throws FormatException {
        long logBlock = Le.u32(raw, SuperblockOffsets.LOG_BLOCK_SIZE);
        require(logBlock <= MAX_LOG_BLOCK_SIZE, "s_log_block_size", logBlock, "0 to " + MAX_LOG_BLOCK_SIZE);
        blockBits = 10 + (int) logBlock;
        long logCluster = Le.u32(raw, SuperblockOffsets.LOG_CLUSTER_SIZE);
        if (features.has(Feature.BIGALLOC)) {
            require(
                    logCluster >= logBlock && logCluster <= MAX_LOG_CLUSTER_SIZE,
                    "s_log_cluster_size",
                    logCluster,
                    logBlock + " to " + MAX_LOG_CLUSTER_SIZE);
            clusterRatioBits = (int) (logCluster - logBlock);
        } else {
            require(logCluster == logBlock, "s_log_cluster_size", logCluster, "s_log_block_size " + logBlock);
        }
    }

    private void inodeAndDescriptorSizes() throws FormatException {
        int blockSize = 1 << blockBits;
        inodeSize = Le.i32(raw, SuperblockOffsets.REV_LEVEL) == 0 ? 128 : Le.u16(raw, SuperblockOffsets.INODE_SIZE);
        require(
                inodeSize >= 128 && inodeSize <= blockSize && Integer.bitCount(inodeSize) == 1,
                "s_inode_size",
                inodeSize,
                "a power of two from 128 to " + blockSize);
        descSize = features.has(Feature.BIT64) ? Le.u16(raw, SuperblockOffsets.DESC_SIZE) : 32;
        int minimum = features.has(Feature.BIT64) ? 64 : 32;
        require(
                descSize >= minimum && descSize <= 1024 && Integer.bitCount(descSize) == 1,
                "s_desc_size",
                descSize,
                "a power of two from 64 to 1024");
        int flex = Le.u8(raw, SuperblockOffsets.LOG_GROUPS_PER_FLEX);
        require(!features.has(Feature.FLEX_BG) || flex <= 31, "s_log_groups_per_flex", flex, "at most 31");
    }

    private void groups() throws FormatException {
        long bits = 8L << blockBits;
        long clusters = Le.u32(raw, SuperblockOffsets.CLUSTERS_PER_GROUP);
        long perGroup = Le.u32(raw, SuperblockOffsets.BLOCKS_PER_GROUP);
        long bitmapBits = features.has(Feature.BIGALLOC) ? clusters : perGroup;
        String name = features.has(Feature.BIGALLOC) ? "s_clusters_per_group" : "s_blocks_per_group";
        require(
                bitmapBits >= 8 && bitmapBits <= bits && bitmapBits % 8 == 0,
                name,
                bitmapBits,
                "a multiple of 8 up to the " + bits + " bits of a block");
        require(
                perGroup == clusters << clusterRatioBits && perGroup <= Integer.MAX_VALUE,
                "s_blocks_per_group",
                perGroup,
                "s_clusters_per_group " + clusters + " times blocks per cluster");
        long inodes = Le.u32(raw, SuperblockOffsets.INODES_PER_GROUP);
        int perBlock = (1 << blockBits) / inodeSize;
        require(
                inodes > 0 && inodes <= bits && inodes % perBlock == 0 && inodes % 8 == 0,
                "s_inodes_per_group",
                inodes,
                "a multiple of 8 and of " + perBlock + ", up to the " + bits + " bits of a block");
        require(
                inodes / perBlock < perGroup,
                "s_inodes_per_group",
                inodes,
                "an inode table shorter than a group of " + perGroup + " blocks");
    }

    private void blocks() throws FormatException {
        long first = Le.u32(raw, SuperblockOffsets.FIRST_DATA_BLOCK);
        long expectedFirst = blockBits == 10 && !features.has(Feature.BIGALLOC) ? 1 : 0;
        require(first == expectedFirst, "s_first_data_block", first, Long.toString(expectedFirst));
        long high = features.has(Feature.BIT64) ? Le.u32(raw, SuperblockOffsets.BLOCKS_COUNT_HI) : 0;
        require(high <= 0xFFFF, "s_blocks_count_hi", high, "at most 65535 (48 bit block numbers)");
        blocksCount = high << 32 | Le.u32(raw, SuperblockOffsets.BLOCKS_COUNT_LO);
        long perGroup = Le.u32(raw, SuperblockOffsets.BLOCKS_PER_GROUP);
        require(blocksCount > first + 1, "s_blocks_count", blocksCount, "more than " + (first + 1));
        groupCount = (blocksCount - first + perGroup - 1) / perGroup;
    }

    private void inodes() throws FormatException {
        long perGroup = Le.u32(raw, SuperblockOffsets.INODES_PER_GROUP);
        long count = Le.u32(raw, SuperblockOffsets.INODES_COUNT);
        require(
                groupCount <= 0xFFFF_FFFFL / perGroup && count == groupCount * perGroup,
                "s_inodes_count",
                count,
                groupCount + " groups of " + perGroup);
        if (Le.i32(raw, SuperblockOffsets.REV_LEVEL) != 0) {
            long first = Le.u32(raw, SuperblockOffsets.FIRST_INO);
            require(first >= MIN_FIRST_INO && first <= count, "s_first_ino", first, "11 to " + count);
        }
        require(count >= MIN_FIRST_INO, "s_inodes_count", count, "at least 11");
    }

    private void descriptorTable() throws FormatException {
        long perBlock = (1L << blockBits) / descSize;
        long blocks = (groupCount + perBlock - 1) / perBlock;
        long reserved = Le.u16(raw, SuperblockOffsets.RESERVED_GDT_BLOCKS);
        long most = (1L << blockBits) / 4;
        require(reserved <= most, "s_reserved_gdt_blocks", reserved, "at most " + most);
        long front = blocks;
        if (features.has(Feature.META_BG)) {
            front = Le.u32(raw, SuperblockOffsets.FIRST_META_BG);
            require(front <= blocks, "s_first_meta_bg", front, "at most " + blocks + " descriptor blocks");
        }
        long first = Le.u32(raw, SuperblockOffsets.FIRST_DATA_BLOCK);
        long room = Math.min(Le.u32(raw, SuperblockOffsets.BLOCKS_PER_GROUP), blocksCount - first);
        require(
                1 + front + reserved < room,
                "s_reserved_gdt_blocks",
                reserved,
                "room for superblock and " + front + " descriptor blocks in " + room + " blocks of group 0");
    }

    private static void require(boolean holds, String field, long found, String expected) throws FormatException {
        if (!holds) {
            throw bad(field, Long.toString(found), expected);
        }
    }

    private static FormatException bad(String field, String found, String expected) {
        return new FormatException("superblock", FormatException.UNKNOWN_BLOCK, field, found, expected);
    }
}
