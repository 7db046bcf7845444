// SPDX-License-Identifier: Apache-2.0
package ext4.format.superblock;

import ext4.format.Le;
import java.util.Arrays;
import java.util.UUID;

/**
 * The fields of a superblock just as they stand, for showing them: nothing is checked or derived, so it serves for
 * filesystems that can't be mounted too. For those that {@link SuperblockFields} reads, use it with {@link #bytes}.
 * Counts and numbers are unsigned.
 */
public final class RawSuperblock {
    private final byte[] b;
    private final Features features;

    /** Copies 1024 bytes from {@code off} on. */
    public RawSuperblock(byte[] bytes, int off) {
        b = Arrays.copyOfRange(bytes, off, off + Superblock.SIZE);
        features = Superblock.features(b, 0);
    }

    /** A copy of the 1024 bytes. */
    public byte[] bytes() {
        return b.clone();
    }

    public Features features() {
        return features;
    }

    public int magic() {
        return Le.u16(b, SuperblockOffsets.MAGIC);
    }

    public long revision() {
        return Le.u32(b, SuperblockOffsets.REV_LEVEL);
    }

    public long creatorOs() {
        return Le.u32(b, SuperblockOffsets.CREATOR_OS);
    }

    public String volumeName() {
        return Superblock.text(b, SuperblockOffsets.VOLUME_NAME, SuperblockOffsets.VOLUME_NAME_BYTES);
    }

    public UUID uuid() {
        return uuid(SuperblockOffsets.UUID);
    }

    /** s_flags: 1 signed, 2 unsigned directory hash, 4 test filesystem. */
    public int flags() {
        return Le.i32(b, SuperblockOffsets.FLAGS);
    }

    public int defaultMountOpts() {
        return Le.i32(b, SuperblockOffsets.DEFAULT_MOUNT_OPTS);
    }

    /** s_mount_opts, text. */
    public String mountOpts() {
        return Superblock.text(b, SuperblockOffsets.MOUNT_OPTS, SuperblockOffsets.MOUNT_OPTS_BYTES);
    }

    /** s_errors: 1 continue, 2 remount-ro, 3 panic. */
    public int errorsBehaviour() {
        return Le.u16(b, SuperblockOffsets.ERRORS);
    }

    public long inodesCount() {
        return Le.u32(b, SuperblockOffsets.INODES_COUNT);
    }

    public long blocksCount() {
        return wide(SuperblockOffsets.BLOCKS_COUNT_LO, SuperblockOffsets.BLOCKS_COUNT_HI);
    }

    public long reservedBlocks() {
        return wide(SuperblockOffsets.R_BLOCKS_COUNT_LO, SuperblockOffsets.R_BLOCKS_COUNT_HI);
    }

    public long firstDataBlock() {
        return Le.u32(b, SuperblockOffsets.FIRST_DATA_BLOCK);
    }

    /** Bytes of a block, as far as the field makes sense; else 0. */
    public long blockSize() {
        return size(SuperblockOffsets.LOG_BLOCK_SIZE);
    }

    /** Bytes of a cluster (bigalloc) or fragment, as far as the field makes sense; else 0. */
    public long clusterSize() {
        return size(SuperblockOffsets.LOG_CLUSTER_SIZE);
    }

    public int descSize() {
        return Le.u16(b, SuperblockOffsets.DESC_SIZE);
    }

    public int reservedGdtBlocks() {
        return Le.u16(b, SuperblockOffsets.RESERVED_GDT_BLOCKS);
    }

    public long blocksPerGroup() {
        return Le.u32(b, SuperblockOffsets.BLOCKS_PER_GROUP);
    }

    public long clustersPerGroup() {
        return Le.u32(b, SuperblockOffsets.CLUSTERS_PER_GROUP);
    }

    public long inodesPerGroup() {
        return Le.u32(b, SuperblockOffsets.INODES_PER_GROUP);
    }

    public int inodeSize() {
        return revision() == 0 ? 128 : Le.u16(b, SuperblockOffsets.INODE_SIZE);
    }

    public long firstMetaBg() {
        return Le.u32(b, SuperblockOffsets.FIRST_META_BG);
    }

    public int logGroupsPerFlex() {
        return Le.u8(b, SuperblockOffsets.LOG_GROUPS_PER_FLEX);
    }

    public int raidStride() {
        return Le.u16(b, SuperblockOffsets.RAID_STRIDE);
    }

    public long raidStripeWidth() {
        return Le.u32(b, SuperblockOffsets.RAID_STRIPE_WIDTH);
    }

    /** Seconds between checks. */
    public long checkInterval() {
        return Le.u32(b, SuperblockOffsets.CHECKINTERVAL);
    }

    public int reservedUid() {
        return Le.u16(b, SuperblockOffsets.DEF_RESUID);
    }

    public int reservedGid() {
        return Le.u16(b, SuperblockOffsets.DEF_RESGID);
    }

    public long firstIno() {
        return Le.u32(b, SuperblockOffsets.FIRST_INO);
    }

    public int minExtraIsize() {
        return Le.u16(b, SuperblockOffsets.MIN_EXTRA_ISIZE);
    }

    public int wantExtraIsize() {
        return Le.u16(b, SuperblockOffsets.WANT_EXTRA_ISIZE);
    }

    public UUID journalUuid() {
        return uuid(SuperblockOffsets.JOURNAL_UUID);
    }

    public long journalIno() {
        return Le.u32(b, SuperblockOffsets.JOURNAL_INUM);
    }

    public long journalDevice() {
        return Le.u32(b, SuperblockOffsets.JOURNAL_DEV);
    }

    public int defaultHashVersion() {
        return Le.u8(b, SuperblockOffsets.DEF_HASH_VERSION);
    }

    public UUID hashSeed() {
        return uuid(SuperblockOffsets.HASH_SEED);
    }

    /** s_jnl_backup_type: 1 where the place of the journal is noted in the superblock. */
    public int journalBackupType() {
        return Le.u8(b, SuperblockOffsets.JNL_BACKUP_TYPE);
    }

    /** s_backup_bgs of sparse_super2, 0 or 1. */
    public long backupGroup(int which) {
        return Le.u32(b, SuperblockOffsets.BACKUP_BGS + 4 * which);
    }

    public int checksumType() {
        return Le.u8(b, SuperblockOffsets.CHECKSUM_TYPE);
    }

    public int storedChecksum() {
        return Le.i32(b, SuperblockOffsets.CHECKSUM);
    }

    public int checksumSeed() {
        return Le.i32(b, SuperblockOffsets.CHECKSUM_SEED);
    }

    public long orphanFileIno() {
        return Le.u32(b, SuperblockOffsets.ORPHAN_FILE_INUM);
    }

    public long mmpBlock() {
        return Le.u64(b, SuperblockOffsets.MMP_BLOCK);
    }

    public int mmpUpdateInterval() {
        return Le.u16(b, SuperblockOffsets.MMP_UPDATE_INTERVAL);
    }

    public long userQuotaIno() {
        return Le.u32(b, SuperblockOffsets.USR_QUOTA_INUM);
    }

    public long groupQuotaIno() {
        return Le.u32(b, SuperblockOffsets.GRP_QUOTA_INUM);
    }

    public long projectQuotaIno() {
        return Le.u32(b, SuperblockOffsets.PRJ_QUOTA_INUM);
    }

    /** s_encoding: 1 UTF-8 12.1. */
    public int encoding() {
        return Le.u16(b, SuperblockOffsets.ENCODING);
    }

    /** What is recorded of the first error the filesystem met; its time is 0 if there was none. */
    public RecordedError firstError() {
        return new RecordedError(
                SuperblockFields.firstErrorTime(b, 0),
                Superblock.text(b, SuperblockOffsets.FIRST_ERROR_FUNC, SuperblockOffsets.ERROR_FUNC_BYTES),
                Le.u32(b, SuperblockOffsets.FIRST_ERROR_LINE),
                Le.u32(b, SuperblockOffsets.FIRST_ERROR_INO),
                Le.u64(b, SuperblockOffsets.FIRST_ERROR_BLOCK),
                Le.u8(b, SuperblockOffsets.FIRST_ERROR_ERRCODE));
    }

    /** What is recorded of the last error. */
    public RecordedError lastError() {
        return new RecordedError(
                SuperblockFields.lastErrorTime(b, 0),
                Superblock.text(b, SuperblockOffsets.LAST_ERROR_FUNC, SuperblockOffsets.ERROR_FUNC_BYTES),
                Le.u32(b, SuperblockOffsets.LAST_ERROR_LINE),
                Le.u32(b, SuperblockOffsets.LAST_ERROR_INO),
                Le.u64(b, SuperblockOffsets.LAST_ERROR_BLOCK),
                Le.u8(b, SuperblockOffsets.LAST_ERROR_ERRCODE));
    }

    /**
     * An error as recorded: seconds since 1970, the function and line that saw it, inode and block (0 if none), and the
     * code of the superblock's own list.
     */
    public record RecordedError(long time, String function, long line, long ino, long block, int code) {}

    private long size(int field) {
        long log = Le.u32(b, field);
        return log <= 52 ? 1024L << log : 0;
    }

    private long wide(int low, int high) {
        long value = Le.u32(b, low);
        return features.has(Feature.BIT64) ? value | Le.u32(b, high) << 32 : value;
    }

    private UUID uuid(int off) {
        return new UUID(Long.reverseBytes(Le.u64(b, off)), Long.reverseBytes(Le.u64(b, off + 8)));
    }
}
