// SPDX-License-Identifier: Apache-2.0
package ext4.format.superblock;

import ext4.format.Le;
import ext4.format.checksum.Crc32c;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The fields of a raw superblock that change while mounted. {@code b} holds it from byte {@code off}: 1024 bytes of their
 * own, or the block around them with {@link Superblock#offsetInBlock}. The caller holds that buffer's lock; after a
 * change {@link #seal} it (the journal may leave that to the commit).
 *
 * <p>Times are seconds since 1970, 40 bits unsigned.
 */
public final class SuperblockFields {
    private SuperblockFields() {}

    /** Free blocks of all groups. */
    public static long freeBlocks(byte[] b, int off) {
        long low = Le.u32(b, off + SuperblockOffsets.FREE_BLOCKS_COUNT_LO);
        return is64bit(b, off) ? low | Le.u32(b, off + SuperblockOffsets.FREE_BLOCKS_COUNT_HI) << 32 : low;
    }

    public static void setFreeBlocks(byte[] b, int off, long blocks) {
        Le.put32(b, off + SuperblockOffsets.FREE_BLOCKS_COUNT_LO, blocks);
        if (is64bit(b, off)) {
            Le.put32(b, off + SuperblockOffsets.FREE_BLOCKS_COUNT_HI, blocks >>> 32);
        }
    }

    /** Free inodes of all groups, unsigned. */
    public static long freeInodes(byte[] b, int off) {
        return Le.u32(b, off + SuperblockOffsets.FREE_INODES_COUNT);
    }

    public static void setFreeInodes(byte[] b, int off, long inodes) {
        Le.put32(b, off + SuperblockOffsets.FREE_INODES_COUNT, inodes);
    }

    /** s_state: bits {@link Superblock#STATE_VALID}, {@link Superblock#STATE_ERROR}, {@link Superblock#STATE_ORPHAN}. */
    public static int state(byte[] b, int off) {
        return Le.u16(b, off + SuperblockOffsets.STATE);
    }

    public static void setState(byte[] b, int off, int state) {
        Le.put16(b, off + SuperblockOffsets.STATE, state);
    }

    /** Whether the journal must be replayed (incompat RECOVER). */
    public static boolean needsRecovery(byte[] b, int off) {
        return Superblock.features(b, off).has(Feature.RECOVER);
    }

    public static void setNeedsRecovery(byte[] b, int off, boolean needed) {
        setFeature(b, off, Feature.RECOVER, needed);
    }

    /** Whether the orphan file may hold entries (ro_compat orphan_present). */
    public static boolean orphanPresent(byte[] b, int off) {
        return Superblock.features(b, off).has(Feature.ORPHAN_PRESENT);
    }

    public static void setOrphanPresent(byte[] b, int off, boolean present) {
        setFeature(b, off, Feature.ORPHAN_PRESENT, present);
    }

    /** Sets or clears one feature bit (large_file, dir_nlink and the like, at first need). */
    public static void setFeature(byte[] b, int off, Feature feature, boolean on) {
        int at = off
                + switch (feature.set()) {
                    case COMPAT -> SuperblockOffsets.FEATURE_COMPAT;
                    case INCOMPAT -> SuperblockOffsets.FEATURE_INCOMPAT;
                    case RO_COMPAT -> SuperblockOffsets.FEATURE_RO_COMPAT;
                };
        int word = Le.i32(b, at);
        Le.put32(b, at, on ? word | feature.bit() : word & ~feature.bit());
    }

    /** Head of the orphan chain (unsigned inode number), 0 when empty. */
    public static int lastOrphan(byte[] b, int off) {
        return Le.i32(b, off + SuperblockOffsets.LAST_ORPHAN);
    }

    public static void setLastOrphan(byte[] b, int off, int ino) {
        Le.put32(b, off + SuperblockOffsets.LAST_ORPHAN, ino);
    }

    /** Time of the last mount. */
    public static long mountTime(byte[] b, int off) {
        return time(b, off, SuperblockOffsets.MTIME, SuperblockOffsets.MTIME_HI);
    }

    public static void setMountTime(byte[] b, int off, long seconds) {
        putTime(b, off, SuperblockOffsets.MTIME, SuperblockOffsets.MTIME_HI, seconds);
    }

    /** Time of the last write of the superblock. */
    public static long writeTime(byte[] b, int off) {
        return time(b, off, SuperblockOffsets.WTIME, SuperblockOffsets.WTIME_HI);
    }

    public static void setWriteTime(byte[] b, int off, long seconds) {
        putTime(b, off, SuperblockOffsets.WTIME, SuperblockOffsets.WTIME_HI, seconds);
    }

    /** Time of the last check. */
    public static long checkTime(byte[] b, int off) {
        return time(b, off, SuperblockOffsets.LASTCHECK, SuperblockOffsets.LASTCHECK_HI);
    }

    public static void setCheckTime(byte[] b, int off, long seconds) {
        putTime(b, off, SuperblockOffsets.LASTCHECK, SuperblockOffsets.LASTCHECK_HI, seconds);
    }

    /** Time the filesystem was made. */
    public static long mkfsTime(byte[] b, int off) {
        return time(b, off, SuperblockOffsets.MKFS_TIME, SuperblockOffsets.MKFS_TIME_HI);
    }

    public static void setMkfsTime(byte[] b, int off, long seconds) {
        putTime(b, off, SuperblockOffsets.MKFS_TIME, SuperblockOffsets.MKFS_TIME_HI, seconds);
    }

    /** Read-write mounts since the last check. */
    public static int mountCount(byte[] b, int off) {
        return Le.u16(b, off + SuperblockOffsets.MNT_COUNT);
    }

    public static void setMountCount(byte[] b, int off, int count) {
        Le.put16(b, off + SuperblockOffsets.MNT_COUNT, count);
    }

    /** Mounts after which a check is due; 0 or -1 never. */
    public static int maxMountCount(byte[] b, int off) {
        return (short) Le.u16(b, off + SuperblockOffsets.MAX_MNT_COUNT);
    }

    /** Lifetime writes in units of 1024 bytes. */
    public static long kbytesWritten(byte[] b, int off) {
        return Le.u64(b, off + SuperblockOffsets.KBYTES_WRITTEN);
    }

    public static void setKbytesWritten(byte[] b, int off, long kbytes) {
        Le.put64(b, off + SuperblockOffsets.KBYTES_WRITTEN, kbytes);
    }

    /** Where it was last mounted. */
    public static String lastMounted(byte[] b, int off) {
        return Superblock.text(b, off + SuperblockOffsets.LAST_MOUNTED, SuperblockOffsets.LAST_MOUNTED_BYTES);
    }

    /** Stores at most 64 bytes of the path. */
    public static void setLastMounted(byte[] b, int off, String path) {
        putText(b, off + SuperblockOffsets.LAST_MOUNTED, SuperblockOffsets.LAST_MOUNTED_BYTES, path);
    }

    /** Group this copy stands in; 0 in the primary. */
    public static int blockGroupNumber(byte[] b, int off) {
        return Le.u16(b, off + SuperblockOffsets.BLOCK_GROUP_NR);
    }

    public static void setBlockGroupNumber(byte[] b, int off, int group) {
        Le.put16(b, off + SuperblockOffsets.BLOCK_GROUP_NR, group);
    }

    /** s_overhead_clusters: blocks of metadata laid out by mkfs; 0 if not recorded. */
    public static long overheadBlocks(byte[] b, int off) {
        return Le.u32(b, off + SuperblockOffsets.OVERHEAD_CLUSTERS);
    }

    public static void setOverheadBlocks(byte[] b, int off, long blocks) {
        Le.put32(b, off + SuperblockOffsets.OVERHEAD_CLUSTERS, blocks);
    }

    /** Errors met since the last check. */
    public static long errorCount(byte[] b, int off) {
        return Le.u32(b, off + SuperblockOffsets.ERROR_COUNT);
    }

    /** s_error_count. */
    public static void setErrorCount(byte[] b, int off, long count) {
        Le.put32(b, off + SuperblockOffsets.ERROR_COUNT, Math.min(count, 0xFFFF_FFFFL));
    }

    /** Time of the first error since the last check. */
    public static long firstErrorTime(byte[] b, int off) {
        return time(b, off, SuperblockOffsets.FIRST_ERROR_TIME, SuperblockOffsets.FIRST_ERROR_TIME_HI);
    }

    /** Time of the last error. */
    public static long lastErrorTime(byte[] b, int off) {
        return time(b, off, SuperblockOffsets.LAST_ERROR_TIME, SuperblockOffsets.LAST_ERROR_TIME_HI);
    }

    /** Where the last error was met, as recorded. */
    public static String lastErrorFunction(byte[] b, int off) {
        return Superblock.text(b, off + SuperblockOffsets.LAST_ERROR_FUNC, SuperblockOffsets.ERROR_FUNC_BYTES);
    }

    /**
     * Records an error: as the last one, as the first one too if none was recorded, and counts it. Does not touch
     * s_state.
     *
     * @param seconds when
     * @param ino inode concerned, or 0
     * @param block block concerned, or 0
     * @param where name of the place in the program, at most 32 bytes kept
     * @param line line there
     * @param code error code of the superblock (1 unknown, 2 EIO, 4 bad checksum, 5 corrupted, 6 ENOSPC ...)
     */
    public static void recordError(
            byte[] b, int off, long seconds, int ino, long block, String where, int line, int code) {
        long count = errorCount(b, off);
        if (count == 0) {
            putTime(b, off, SuperblockOffsets.FIRST_ERROR_TIME, SuperblockOffsets.FIRST_ERROR_TIME_HI, seconds);
            Le.put32(b, off + SuperblockOffsets.FIRST_ERROR_INO, ino);
            Le.put64(b, off + SuperblockOffsets.FIRST_ERROR_BLOCK, block);
            putText(b, off + SuperblockOffsets.FIRST_ERROR_FUNC, SuperblockOffsets.ERROR_FUNC_BYTES, where);
            Le.put32(b, off + SuperblockOffsets.FIRST_ERROR_LINE, line);
            Le.put8(b, off + SuperblockOffsets.FIRST_ERROR_ERRCODE, code);
        }
        putTime(b, off, SuperblockOffsets.LAST_ERROR_TIME, SuperblockOffsets.LAST_ERROR_TIME_HI, seconds);
        Le.put32(b, off + SuperblockOffsets.LAST_ERROR_INO, ino);
        Le.put64(b, off + SuperblockOffsets.LAST_ERROR_BLOCK, block);
        putText(b, off + SuperblockOffsets.LAST_ERROR_FUNC, SuperblockOffsets.ERROR_FUNC_BYTES, where);
        Le.put32(b, off + SuperblockOffsets.LAST_ERROR_LINE, line);
        Le.put8(b, off + SuperblockOffsets.LAST_ERROR_ERRCODE, code);
        setErrorCount(b, off, count + 1);
    }

    /** Takes over what another copy of the superblock has of errors: s_state and the fields of first and last error. */
    public static void copyErrors(byte[] from, int fromOff, byte[] b, int off) {
        setState(b, off, state(b, off) | state(from, fromOff) & Superblock.STATE_ERROR);
        int fields = SuperblockOffsets.MOUNT_OPTS - SuperblockOffsets.ERROR_COUNT;
        System.arraycopy(from, fromOff + SuperblockOffsets.ERROR_COUNT, b, off + SuperblockOffsets.ERROR_COUNT, fields);
        for (int at : new int[] {
            SuperblockOffsets.FIRST_ERROR_TIME_HI,
            SuperblockOffsets.LAST_ERROR_TIME_HI,
            SuperblockOffsets.FIRST_ERROR_ERRCODE,
            SuperblockOffsets.LAST_ERROR_ERRCODE
        }) {
            b[off + at] = from[fromOff + at];
        }
    }

    /** What s_checksum must be. */
    public static int checksum(byte[] b, int off) {
        return Crc32c.raw(Crc32c.START, b, off, SuperblockOffsets.CHECKSUM);
    }

    /** Stores the checksum, if the filesystem has metadata_csum. */
    public static void seal(byte[] b, int off) {
        if (Superblock.features(b, off).has(Feature.METADATA_CSUM)) {
            Le.put32(b, off + SuperblockOffsets.CHECKSUM, checksum(b, off));
        }
    }

    /** Whether the checksum holds; true without metadata_csum. */
    public static boolean verify(byte[] b, int off) {
        return !Superblock.features(b, off).has(Feature.METADATA_CSUM)
                || Le.i32(b, off + SuperblockOffsets.CHECKSUM) == checksum(b, off);
    }

    static void putText(byte[] b, int at, int max, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int len = Math.min(bytes.length, max);
        System.arraycopy(bytes, 0, b, at, len);
        Arrays.fill(b, at + len, at + max, (byte) 0);
    }

    private static boolean is64bit(byte[] b, int off) {
        return Superblock.features(b, off).has(Feature.BIT64);
    }

    private static long time(byte[] b, int off, int low, int high) {
        return Le.u32(b, off + low) | (long) Le.u8(b, off + high) << 32;
    }

    private static void putTime(byte[] b, int off, int low, int high, long seconds) {
        Le.put32(b, off + low, seconds);
        Le.put8(b, off + high, (int) (seconds >>> 32));
    }
}
