// SPDX-License-Identifier: Apache-2.0
package ext4.format.superblock;

import ext4.format.Le;
import java.util.UUID;

/**
 * Writes the fixed fields of a new superblock, for mkfs, into 1024 zeroed bytes: {@code new SuperblockInit(features)},
 * the setters, then {@link #bytes}. Mutable fields are set with {@link SuperblockFields} in the same bytes, which are
 * then sealed and, as a test of the whole, given to {@link Superblock#parse}.
 */
public final class SuperblockInit {
    private final byte[] b = new byte[Superblock.SIZE];
    private final boolean wide;

    /** Begins with magic, revision 1, state valid, errors=continue, crc32c as checksum type where there is one. */
    public SuperblockInit(Features features) {
        wide = features.has(Feature.BIT64);
        Le.put16(b, SuperblockOffsets.MAGIC, Superblock.MAGIC);
        Le.put32(b, SuperblockOffsets.REV_LEVEL, 1);
        Le.put16(b, SuperblockOffsets.STATE, Superblock.STATE_VALID);
        Le.put16(b, SuperblockOffsets.ERRORS, 1);
        Le.put16(b, SuperblockOffsets.MAX_MNT_COUNT, -1);
        Le.put32(b, SuperblockOffsets.FEATURE_COMPAT, features.compat());
        Le.put32(b, SuperblockOffsets.FEATURE_INCOMPAT, features.incompat());
        Le.put32(b, SuperblockOffsets.FEATURE_RO_COMPAT, features.roCompat());
        Le.put32(b, SuperblockOffsets.FIRST_INO, 11);
        if (features.has(Feature.METADATA_CSUM)) {
            Le.put8(b, SuperblockOffsets.CHECKSUM_TYPE, 1);
        }
    }

    /** Block size in bytes (1024 to 65536), the number of blocks and how many of them are reserved. */
    public SuperblockInit blocks(int blockSize, long blocks, long reserved) {
        int log = Integer.numberOfTrailingZeros(blockSize) - 10;
        Le.put32(b, SuperblockOffsets.LOG_BLOCK_SIZE, log);
        Le.put32(b, SuperblockOffsets.LOG_CLUSTER_SIZE, log);
        Le.put32(b, SuperblockOffsets.FIRST_DATA_BLOCK, log == 0 ? 1 : 0);
        Le.put32(b, SuperblockOffsets.BLOCKS_COUNT_LO, blocks);
        Le.put32(b, SuperblockOffsets.R_BLOCKS_COUNT_LO, reserved);
        if (wide) {
            Le.put32(b, SuperblockOffsets.BLOCKS_COUNT_HI, blocks >>> 32);
            Le.put32(b, SuperblockOffsets.R_BLOCKS_COUNT_HI, reserved >>> 32);
        }
        return this;
    }

    /** Blocks and inodes of a group, and how many inodes that makes in all (unsigned). */
    public SuperblockInit groups(int blocksPerGroup, int inodesPerGroup, int inodesCount) {
        Le.put32(b, SuperblockOffsets.BLOCKS_PER_GROUP, blocksPerGroup);
        Le.put32(b, SuperblockOffsets.CLUSTERS_PER_GROUP, blocksPerGroup);
        Le.put32(b, SuperblockOffsets.INODES_PER_GROUP, inodesPerGroup);
        Le.put32(b, SuperblockOffsets.INODES_COUNT, inodesCount);
        return this;
    }

    /** Bytes of an inode record, and the extra bytes new and all inodes have beyond 128. */
    public SuperblockInit inodes(int inodeSize, int extraIsize) {
        Le.put16(b, SuperblockOffsets.INODE_SIZE, inodeSize);
        Le.put16(b, SuperblockOffsets.MIN_EXTRA_ISIZE, extraIsize);
        Le.put16(b, SuperblockOffsets.WANT_EXTRA_ISIZE, extraIsize);
        return this;
    }

    /** Bytes of a descriptor (stored only with 64bit), reserved descriptor blocks, log2 of groups per flex group. */
    public SuperblockInit descriptors(int descSize, int reservedGdtBlocks, int logGroupsPerFlex) {
        if (wide) {
            Le.put16(b, SuperblockOffsets.DESC_SIZE, descSize);
        }
        Le.put16(b, SuperblockOffsets.RESERVED_GDT_BLOCKS, reservedGdtBlocks);
        Le.put8(b, SuperblockOffsets.LOG_GROUPS_PER_FLEX, logGroupsPerFlex);
        return this;
    }

    /** The filesystem's uuid and label (at most 16 bytes kept). */
    public SuperblockInit identity(UUID uuid, String label) {
        Le.put64(b, SuperblockOffsets.UUID, Long.reverseBytes(uuid.getMostSignificantBits()));
        Le.put64(b, SuperblockOffsets.UUID + 8, Long.reverseBytes(uuid.getLeastSignificantBits()));
        SuperblockFields.putText(b, SuperblockOffsets.VOLUME_NAME, SuperblockOffsets.VOLUME_NAME_BYTES, label);
        return this;
    }

    /** s_checksum_seed; used with metadata_csum_seed only. */
    public SuperblockInit checksumSeed(int seed) {
        Le.put32(b, SuperblockOffsets.CHECKSUM_SEED, seed);
        return this;
    }

    /** Directory hash: its uuid as seed, the version (1 half MD4), and whether name bytes are unsigned. */
    public SuperblockInit hash(UUID seed, int version, boolean unsigned) {
        Le.put64(b, SuperblockOffsets.HASH_SEED, Long.reverseBytes(seed.getMostSignificantBits()));
        Le.put64(b, SuperblockOffsets.HASH_SEED + 8, Long.reverseBytes(seed.getLeastSignificantBits()));
        Le.put8(b, SuperblockOffsets.DEF_HASH_VERSION, version);
        Le.put32(b, SuperblockOffsets.FLAGS, unsigned ? 2 : 1);
        return this;
    }

    /**
     * The journal's inode, and the backup of where it lies.
     *
     * @param iBlock array with the 60 bytes of i_block from {@code off}
     * @param size i_size of the journal in bytes
     */
    public SuperblockInit journal(int ino, byte[] iBlock, int off, long size) {
        Le.put32(b, SuperblockOffsets.JOURNAL_INUM, ino);
        Le.put8(b, SuperblockOffsets.JNL_BACKUP_TYPE, 1);
        int last = SuperblockOffsets.JNL_BLOCKS + 4 * (SuperblockOffsets.JNL_BLOCKS_WORDS - 1);
        System.arraycopy(iBlock, off, b, SuperblockOffsets.JNL_BLOCKS, 60);
        Le.put32(b, last - 4, size >>> 32);
        Le.put32(b, last, size);
        return this;
    }

    /** Inode of the orphan file. */
    public SuperblockInit orphanFile(int ino) {
        Le.put32(b, SuperblockOffsets.ORPHAN_FILE_INUM, ino);
        return this;
    }

    /** s_default_mount_opts (mke2fs: user_xattr and acl, 0xC). */
    public SuperblockInit defaultMountOpts(int bits) {
        Le.put32(b, SuperblockOffsets.DEFAULT_MOUNT_OPTS, bits);
        return this;
    }

    /** The two groups with copies under sparse_super2; 0 is none. */
    public SuperblockInit backupGroups(int first, int second) {
        Le.put32(b, SuperblockOffsets.BACKUP_BGS, first);
        Le.put32(b, SuperblockOffsets.BACKUP_BGS + 4, second);
        return this;
    }

    /** The 16 bytes of a UUID as they stand on disk, in superblocks of the filesystem and of the journal. */
    public static byte[] uuidBytes(UUID uuid) {
        byte[] bytes = new byte[16];
        Le.put64(bytes, 0, Long.reverseBytes(uuid.getMostSignificantBits()));
        Le.put64(bytes, 8, Long.reverseBytes(uuid.getLeastSignificantBits()));
        return bytes;
    }

    /** The live 1024 bytes. */
    public byte[] bytes() {
        return b;
    }
}
