// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

import ext4.format.FormatException;
import ext4.format.checksum.Crc32c;
import ext4.format.group.GroupLayout;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import ext4.format.superblock.SuperblockInit;

/**
 * The sizes of a new filesystem: how many blocks, groups, inodes and reserved descriptor blocks, by the rules that
 * mke2fs(8) and mke2fs.conf(5) describe. The outcome is a superblock without the fields of journal and orphan file.
 */
final class Geometry {
    /** Reserved inodes and lost+found; the orphan file comes on top. */
    static final int LOST_FOUND_INO = 11;

    private static final int EXTRA_ISIZE = 32;
    /** A last group with fewer blocks than this for data is left off. */
    private static final int LEAST_DATA_BLOCKS = 50;

    private static final int MAX_INODES_PER_GROUP = 65536;
    private static final int GROWTH = 1024;
    private static final long MAX_U32 = 0xFFFF_FFFFL;

    private final MkfsOptions options;
    private final MkfsFeatures features;
    private final int blockSize;
    private final int firstBlock;
    private final long wantedInodes;
    private long blocks;
    private int blocksPerGroup;
    private int groups;
    private int inodesPerGroup;
    private int reservedGdtBlocks;
    private SuperblockInit init;
    private Superblock superblock;
    private GroupLayout layout;

    /**
     * @param deviceBytes length of the device in bytes
     * @throws MkfsException if there is no such filesystem
     */
    Geometry(MkfsOptions options, MkfsFeatures features, long deviceBytes) {
        this.options = options;
        this.features = features;
        SizeClass size = SizeClass.of(options, deviceBytes);
        blockSize = options.blockSize() == 0 ? size.blockSize() : options.blockSize();
        firstBlock = blockSize == 1024 ? 1 : 0;
        if (options.inodeSize() > blockSize) {
            throw new MkfsException("inode size " + options.inodeSize() + " exceeds the block size " + blockSize);
        }
        blocks = length(deviceBytes);
        int ratio = options.inodeRatio() == 0 ? Math.max(size.inodeRatio(), blockSize) : options.inodeRatio();
        wantedInodes = Math.min(blocks * blockSize / ratio, MAX_U32);
        settleByLength();
        choose();
    }

    private long length(long deviceBytes) {
        long there = deviceBytes / blockSize;
        if (options.blocks() > there) {
            throw new MkfsException(
                    options.blocks() + " blocks of " + blockSize + " bytes exceed the device's " + there);
        }
        int perPage = 4096 / blockSize; // a device's last blocks must be reachable through whole pages
        long length = options.blocks() == 0 ? there - there % perPage : options.blocks();
        if (length > MAX_U32 && !features.has(Feature.BIT64)) {
            throw new MkfsException(length + " blocks need feature 64bit");
        }
        if (length >= 1L << 48) {
            throw new MkfsException(length + " blocks exceed the 2^48 of the format");
        }
        return length;
    }

    private void settleByLength() {
        if (features.has(Feature.HAS_JOURNAL) && !JournalSize.fits(options, blocks)) {
            features.drop(Feature.HAS_JOURNAL);
            features.drop(Feature.ORPHAN_FILE);
        }
        if (blocks > MAX_U32) {
            features.drop(Feature.RESIZE_INODE);
        }
        if (features.has(Feature.RESIZE_INODE) && blockSize == 4096) {
            features.add(Feature.LARGE_FILE); // the resize inode itself exceeds 2 GiB
        }
    }

    /** Blocks per group become fewer until a group's inodes fit its bitmap; a last group that is too short goes. */
    private void choose() {
        for (blocksPerGroup = 8 * blockSize; blocksPerGroup >= 256; blocksPerGroup -= 8) {
            divide();
            if (ceil(wantedInodes, groups) > 8L * blockSize) {
                continue;
            }
            if (largestOverhead() >= blocksPerGroup) {
                throw new MkfsException("too many inodes: their tables leave no room for data");
            }
            int rest = (int) ((blocks - firstBlock) % blocksPerGroup);
            boolean tooShort = rest != 0 && rest < lastOverhead() + LEAST_DATA_BLOCKS;
            if (tooShort && groups == 1) {
                throw tooSmall();
            }
            if (tooShort && blocksPerGroup != 8 * blockSize) {
                continue;
            }
            if (tooShort) {
                blocks -= rest;
                divide();
            }
            build();
            return;
        }
        throw new MkfsException("too many inodes for " + blocks + " blocks: raise the inode ratio");
    }

    private void divide() {
        if (blocks <= firstBlock) {
            throw tooSmall();
        }
        long count = ceil(blocks - firstBlock, blocksPerGroup);
        if (count > Integer.MAX_VALUE / 2) {
            throw new MkfsException(blocks + " blocks of " + blockSize + " bytes are too many: use larger blocks");
        }
        groups = (int) count;
        inodesPerGroup = roundInodes();
        reserveDescriptors();
    }

    /** Inodes of a group fill the blocks of its table, and are a multiple of 8 to fill bytes of its bitmap. */
    private int roundInodes() {
        int perBlock = blockSize / options.inodeSize();
        int step = Math.max(8, perBlock);
        long least = (long) LOST_FOUND_INO + (features.has(Feature.ORPHAN_FILE) ? 1 : 0);
        long each = ceil(Math.max(wantedInodes, least), groups);
        each = Math.min(Math.min(each, 8L * blockSize), MAX_INODES_PER_GROUP - perBlock);
        each = ceil(each, perBlock) * perBlock;
        each = Math.max(8, each & ~7);
        each = ceil(each, perBlock) * perBlock;
        while (each * groups < least) {
            each += step;
        }
        while (each > step && each * groups > MAX_U32) {
            each -= step;
        }
        return (int) each;
    }

    private void reserveDescriptors() {
        int perBlock = blockSize / descSize();
        long now = ceil(groups, perBlock);
        reservedGdtBlocks = 0;
        if (features.has(Feature.RESIZE_INODE)) {
            long most = blocks < MAX_U32 / GROWTH ? blocks * GROWTH : MAX_U32;
            long later = ceil(ceil(most - firstBlock, blocksPerGroup), perBlock);
            reservedGdtBlocks = Math.clamp(later - now, 0, blockSize / 4);
        }
        if (!features.has(Feature.META_BG) && now + reservedGdtBlocks > blocksPerGroup / 4 * 3L) {
            features.useMetaBlockGroups();
            reservedGdtBlocks = 0;
        }
    }

    private int lastOverhead() {
        return 2 + tableBlocks() + (hasBackup(groups - 1) ? frontBlocks() : features.has(Feature.META_BG) ? 1 : 0);
    }

    private int largestOverhead() {
        return 2 + tableBlocks() + frontBlocks();
    }

    private int frontBlocks() {
        int descriptors = features.has(Feature.META_BG) ? 1 : (int) ceil(groups, blockSize / descSize());
        return 1 + descriptors + reservedGdtBlocks;
    }

    private boolean hasBackup(int group) {
        build();
        return layout.hasSuper(group);
    }

    /** Makes the superblock of the sizes so far, which must pass the checks of one that is read. */
    private void build() {
        if (reservedGdtBlocks == 0) {
            features.drop(Feature.RESIZE_INODE);
        }
        int extra = Math.min(EXTRA_ISIZE, options.inodeSize() - 128);
        int flex = features.has(Feature.FLEX_BG) ? Integer.numberOfTrailingZeros(options.groupsPerFlex()) : 0;
        init = new SuperblockInit(features.words())
                .blocks(blockSize, blocks, (long) (blocks * options.reservedPercent() / 100))
                .groups(blocksPerGroup, inodesPerGroup, groups * inodesPerGroup)
                .inodes(options.inodeSize(), extra)
                .descriptors(descSize(), reservedGdtBlocks, flex)
                .identity(options.uuid(), options.label())
                .hash(options.hashSeed(), 1, false)
                .defaultMountOpts(0xC);
        if (features.has(Feature.CSUM_SEED)) {
            init.checksumSeed(Crc32c.raw(Crc32c.START, SuperblockInit.uuidBytes(options.uuid()), 0, 16));
        }
        if (features.has(Feature.SPARSE_SUPER2)) {
            init.backupGroups(groups > 1 ? 1 : 0, groups > 2 ? groups - 1 : 0);
        }
        SuperblockFields.seal(init.bytes(), 0);
        try {
            superblock = Superblock.parse(init.bytes(), 0);
        } catch (FormatException e) {
            throw new MkfsException("no filesystem of " + blocks + " blocks can be made: " + e.getMessage());
        }
        layout = new GroupLayout(superblock);
    }

    private MkfsException tooSmall() {
        return new MkfsException("the device is too small for a filesystem: " + blocks + " blocks of " + blockSize
                + " bytes hold its metadata only");
    }

    private int descSize() {
        return features.has(Feature.BIT64) ? 64 : 32;
    }

    private int tableBlocks() {
        return inodesPerGroup / (blockSize / options.inodeSize());
    }

    private static long ceil(long value, long divisor) {
        return (value + divisor - 1) / divisor;
    }

    /** The superblock under construction. */
    SuperblockInit init() {
        return init;
    }

    /** What that superblock says; final in everything but journal and orphan file. */
    Superblock superblock() {
        return superblock;
    }

    GroupLayout layout() {
        return layout;
    }

    /** Blocks of the journal, 0 without one. */
    int journalBlocks() {
        return features.has(Feature.HAS_JOURNAL) ? JournalSize.blocks(options, blockSize, blocks) : 0;
    }
}
