// SPDX-License-Identifier: Apache-2.0
package ext4.format.superblock;

import ext4.format.FormatException;
import ext4.format.Le;
import ext4.format.checksum.Crc16;
import ext4.format.checksum.Crc32c;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * What of a superblock stays the same while the filesystem is mounted: geometry, seeds, features. Immutable and
 * validated: every number derived here lies within the limits of the format, so arithmetic on it cannot overflow.
 * Mutable fields stand in the raw bytes, see {@link SuperblockFields}.
 */
public final class Superblock {
    /** Bytes of a superblock. */
    public static final int SIZE = 1024;
    /** Byte of the device at which the primary one begins, whatever the block size. */
    public static final int BYTE_OFFSET = 1024;
    /** s_magic. */
    public static final int MAGIC = 0xEF53;
    /** s_creator_os of Linux: the only one whose inodes carry checksums. */
    public static final int OS_LINUX = 0;
    /** s_state: unmounted cleanly. */
    public static final int STATE_VALID = 1;
    /** s_state: errors were met. */
    public static final int STATE_ERROR = 2;
    /** s_state: orphans are being recovered. */
    public static final int STATE_ORPHAN = 4;

    private final byte[] raw;
    private final Features features;
    private final int blockBits;
    private final long blocksCount;
    private final int firstDataBlock;
    private final int blocksPerGroup;
    private final int clustersPerGroup;
    private final int groupCount;
    private final int inodesCount;
    private final int inodesPerGroup;
    private final int inodeSize;
    private final int descSize;
    private final boolean metadataCsum;
    private final boolean gdtCsum;
    private final int csumSeed;
    private final int uuidCrc16;

    private Superblock(byte[] raw) throws FormatException {
        this.raw = raw;
        features = features(raw, 0);
        SuperblockCheck check = new SuperblockCheck(raw, features);
        check.all();
        blockBits = check.blockBits();
        blocksCount = check.blocksCount();
        firstDataBlock = Le.i32(raw, SuperblockOffsets.FIRST_DATA_BLOCK);
        blocksPerGroup = Le.i32(raw, SuperblockOffsets.BLOCKS_PER_GROUP);
        clustersPerGroup = Le.i32(raw, SuperblockOffsets.CLUSTERS_PER_GROUP);
        groupCount = (int) check.groupCount();
        inodesCount = Le.i32(raw, SuperblockOffsets.INODES_COUNT);
        inodesPerGroup = Le.i32(raw, SuperblockOffsets.INODES_PER_GROUP);
        inodeSize = check.inodeSize();
        descSize = check.descSize();
        metadataCsum = features.has(Feature.METADATA_CSUM);
        gdtCsum = !metadataCsum && features.has(Feature.GDT_CSUM);
        csumSeed = features.has(Feature.CSUM_SEED)
                ? Le.i32(raw, SuperblockOffsets.CHECKSUM_SEED)
                : Crc32c.raw(Crc32c.START, raw, SuperblockOffsets.UUID, SuperblockOffsets.UUID_BYTES);
        uuidCrc16 = Crc16.raw(Crc16.START, raw, SuperblockOffsets.UUID, SuperblockOffsets.UUID_BYTES);
    }

    /**
     * Whether these bytes are an ext4 superblock: magic, revision, checksum type and checksum. To be called first.
     *
     * @throws FormatException naming what is wrong
     */
    public static void checkIdentity(byte[] b, int off) throws FormatException {
        SuperblockCheck.identity(b, off);
    }

    /** The feature words, of bytes that passed {@link #checkIdentity}; revision 0 knows none. */
    public static Features features(byte[] b, int off) {
        if (Le.i32(b, off + SuperblockOffsets.REV_LEVEL) == 0) {
            return Features.NONE;
        }
        return new Features(
                Le.i32(b, off + SuperblockOffsets.FEATURE_COMPAT),
                Le.i32(b, off + SuperblockOffsets.FEATURE_INCOMPAT),
                Le.i32(b, off + SuperblockOffsets.FEATURE_RO_COMPAT));
    }

    /**
     * Copies and validates 1024 bytes. Geometry that needs an unsupported feature may fail here for a wrong reason:
     * look at {@link #features} before.
     *
     * @throws FormatException naming the field that cannot be true
     */
    public static Superblock parse(byte[] b, int off) throws FormatException {
        SuperblockCheck.identity(b, off);
        return new Superblock(Arrays.copyOfRange(b, off, off + SIZE));
    }

    /** As {@link #parse(byte[], int)} from byte 0. */
    public static Superblock parse(byte[] b) throws FormatException {
        return parse(b, 0);
    }

    /**
     * That the device is long enough for the filesystem. Call it before anything is sized by the number of groups.
     *
     * @param deviceBytes length of the device
     */
    public void checkDevice(long deviceBytes) throws FormatException {
        if (deviceBytes >>> blockBits < blocksCount) {
            throw new FormatException(
                    "superblock",
                    block(),
                    "s_blocks_count",
                    blocksCount,
                    "at most the " + (deviceBytes >>> blockBits) + " blocks of the device");
        }
    }

    public Features features() {
        return features;
    }

    public boolean has(Feature feature) {
        return features.has(feature);
    }

    /** Bytes of a block. */
    public int blockSize() {
        return 1 << blockBits;
    }

    /** Base-2 logarithm of the block size. */
    public int blockBits() {
        return blockBits;
    }

    /** Blocks of the filesystem, those before the first data block included. */
    public long blocksCount() {
        return blocksCount;
    }

    /** Block at which group 0 begins. */
    public int firstDataBlock() {
        return firstDataBlock;
    }

    public int blocksPerGroup() {
        return blocksPerGroup;
    }

    /** 512-byte sectors that a block of extended attributes adds to i_blocks: those of its cluster, with bigalloc. */
    public int xattrBlockSectors() {
        int blocks = has(Feature.BIGALLOC) ? blocksPerGroup / clustersPerGroup : 1;
        return blocks * (blockSize() >>> 9);
    }

    /** Bits of a block bitmap that count; equals blocks per group but with bigalloc, which can only be read. */
    public int clustersPerGroup() {
        return clustersPerGroup;
    }

    public int groupCount() {
        return groupCount;
    }

    /** Unsigned number of inodes; also the greatest inode number. */
    public int inodesCount() {
        return inodesCount;
    }

    public int inodesPerGroup() {
        return inodesPerGroup;
    }

    /** Bytes of an inode record. */
    public int inodeSize() {
        return inodeSize;
    }

    public int inodesPerBlock() {
        return blockSize() / inodeSize;
    }

    /** Blocks of a group's inode table. */
    public int inodeTableBlocks() {
        return inodesPerGroup / inodesPerBlock();
    }

    /** Bytes of a group descriptor: 32, or more with 64bit. */
    public int descSize() {
        return descSize;
    }

    /** s_desc_size as it stands, whether the feature 64bit gives it a meaning or not. */
    public int storedDescSize() {
        return Le.u16(raw, SuperblockOffsets.DESC_SIZE);
    }

    public int descsPerBlock() {
        return blockSize() / descSize;
    }

    /** Blocks that all group descriptors take, once. */
    public int descBlocks() {
        return (groupCount + descsPerBlock() - 1) / descsPerBlock();
    }

    /** s_first_meta_bg: descriptor blocks from this index on live in their metagroup. Only with meta_bg. */
    public int firstMetaBg() {
        return Le.i32(raw, SuperblockOffsets.FIRST_META_BG);
    }

    /** Blocks after the descriptors kept free for growth. */
    public int reservedGdtBlocks() {
        return Le.u16(raw, SuperblockOffsets.RESERVED_GDT_BLOCKS);
    }

    /** Groups of a flex group (1 without flex_bg). May exceed the number of groups. */
    public int groupsPerFlex() {
        return has(Feature.FLEX_BG) ? 1 << Math.min(30, Le.u8(raw, SuperblockOffsets.LOG_GROUPS_PER_FLEX)) : 1;
    }

    /** s_backup_bgs: the two groups with copies under sparse_super2; 0 is none. */
    public long backupGroup(int which) {
        return Le.u32(raw, SuperblockOffsets.BACKUP_BGS + 4 * which);
    }

    /** Block that holds the primary superblock. */
    public long block() {
        return (long) BYTE_OFFSET >>> blockBits;
    }

    /** Byte within {@link #block()} at which the primary superblock begins. */
    public int offsetInBlock() {
        return BYTE_OFFSET & blockSize() - 1;
    }

    /** First inode number that is not reserved (unsigned). */
    public int firstIno() {
        return Le.i32(raw, SuperblockOffsets.REV_LEVEL) == 0 ? 11 : Le.i32(raw, SuperblockOffsets.FIRST_INO);
    }

    /** Inode of the journal, 0 if it has none inside. */
    public int journalIno() {
        return Le.i32(raw, SuperblockOffsets.JOURNAL_INUM);
    }

    /** Whether the superblock names a journal on another device (s_journal_uuid). */
    public boolean hasExternalJournal() {
        return Le.u64(raw, SuperblockOffsets.JOURNAL_UUID) != 0 || Le.u64(raw, SuperblockOffsets.JOURNAL_UUID + 8) != 0;
    }

    /** Inode of the orphan file; meaningful with orphan_file only. */
    public int orphanFileIno() {
        return Le.i32(raw, SuperblockOffsets.ORPHAN_FILE_INUM);
    }

    /** Whether metadata carries crc32c sums. */
    public boolean metadataCsum() {
        return metadataCsum;
    }

    /** Whether only group descriptors carry sums (crc16): uninit_bg without metadata_csum. */
    public boolean gdtCsum() {
        return gdtCsum;
    }

    /** Whether descriptor flags (INODE_UNINIT, BLOCK_UNINIT, INODE_ZEROED) mean something. */
    public boolean groupFlagsValid() {
        return metadataCsum || gdtCsum;
    }

    /** Whether inode records carry sums. */
    public boolean inodeCsum() {
        return metadataCsum && creatorOs() == OS_LINUX;
    }

    /** Seed of all metadata sums; also valid without metadata_csum. */
    public int csumSeed() {
        return csumSeed;
    }

    /** crc16 of the uuid: start of a descriptor's sum under uninit_bg. */
    public int uuidCrc16() {
        return uuidCrc16;
    }

    public int creatorOs() {
        return Le.i32(raw, SuperblockOffsets.CREATOR_OS);
    }

    /** Extra bytes a new inode gets beyond 128; 0 for inodes of 128 bytes. A senseless s_want_extra_isize reads as 32. */
    public int wantExtraIsize() {
        int room = inodeSize - 128;
        int wanted = Math.max(
                Le.u16(raw, SuperblockOffsets.WANT_EXTRA_ISIZE), Le.u16(raw, SuperblockOffsets.MIN_EXTRA_ISIZE));
        boolean usable = wanted >= 4 && wanted % 4 == 0 && wanted <= room;
        return usable ? wanted : Math.min(32, room);
    }

    /** The four words that seed directory hashes; a copy. All zero means the defaults of the hash. */
    public int[] hashSeed() {
        int[] seed = new int[4];
        for (int i = 0; i < 4; i++) {
            seed[i] = Le.i32(raw, SuperblockOffsets.HASH_SEED + 4 * i);
        }
        return seed;
    }

    /** s_def_hash_version of new indexed directories: 0 legacy, 1 half MD4, 2 TEA (unsigned-ness stands apart). */
    public int defaultHashVersion() {
        return Le.u8(raw, SuperblockOffsets.DEF_HASH_VERSION);
    }

    /** Whether name bytes are hashed as unsigned; without a recorded flag signed, as on x86. */
    public boolean hashUnsigned() {
        return (Le.i32(raw, SuperblockOffsets.FLAGS) & 2) != 0;
    }

    /** s_default_mount_opts, raw bits. */
    public int defaultMountOpts() {
        return Le.i32(raw, SuperblockOffsets.DEFAULT_MOUNT_OPTS);
    }

    /** s_errors: 1 continue, 2 remount-ro, 3 panic. */
    public int errorsBehaviour() {
        return Le.u16(raw, SuperblockOffsets.ERRORS);
    }

    /** Blocks that only the reserved user may take; all of them if the field says more. */
    public long reservedBlocks() {
        long low = Le.u32(raw, SuperblockOffsets.R_BLOCKS_COUNT_LO);
        long found = has(Feature.BIT64) ? low | Le.u32(raw, SuperblockOffsets.R_BLOCKS_COUNT_HI) << 32 : low;
        return Long.compareUnsigned(found, blocksCount) > 0 ? blocksCount : found;
    }

    /** User who may take reserved blocks. */
    public int reservedUid() {
        return Le.u16(raw, SuperblockOffsets.DEF_RESUID) | Le.u16(raw, SuperblockOffsets.DEF_RESUID_HI) << 16;
    }

    /** Group that may take reserved blocks. */
    public int reservedGid() {
        return Le.u16(raw, SuperblockOffsets.DEF_RESGID) | Le.u16(raw, SuperblockOffsets.DEF_RESGID_HI) << 16;
    }

    /** The 16 bytes of the uuid; a copy. */
    public byte[] uuidBytes() {
        return Arrays.copyOfRange(raw, SuperblockOffsets.UUID, SuperblockOffsets.UUID + SuperblockOffsets.UUID_BYTES);
    }

    /** The uuid in its usual order. */
    public UUID uuid() {
        return new UUID(
                Long.reverseBytes(Le.u64(raw, SuperblockOffsets.UUID)),
                Long.reverseBytes(Le.u64(raw, SuperblockOffsets.UUID + 8)));
    }

    public String volumeName() {
        return text(raw, SuperblockOffsets.VOLUME_NAME, SuperblockOffsets.VOLUME_NAME_BYTES);
    }

    /** The 1024 bytes as parsed; a copy, for {@link SuperblockFields} where no live buffer is at hand. */
    public byte[] bytes() {
        return raw.clone();
    }

    static String text(byte[] b, int off, int max) {
        int len = 0;
        while (len < max && b[off + len] != 0) {
            len++;
        }
        return new String(b, off, len, StandardCharsets.UTF_8);
    }
}
