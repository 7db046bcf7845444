// SPDX-License-Identifier: Apache-2.0
package ext4.format.jbd2;

import ext4.format.FormatException;
import ext4.format.checksum.Crc32c;
import java.util.Arrays;

/**
 * The journal superblock: the first 1024 bytes of the journal's block 0, in an array that begins with it.
 *
 * <p>Call {@link #validate} before anything else. Setters patch one field; {@link #seal} comes last. Not thread-safe:
 * the journal guards its superblock. Feature fields of a version 1 superblock read as 0.
 */
public final class JournalSuperblock {
    /** Size in bytes. */
    public static final int SIZE = 1024;

    /** The shortest log that is accepted, blocks. */
    public static final int MIN_BLOCKS = 1024;

    /** Blocks of the fast-commit area if s_num_fc_blks is 0. */
    public static final int DEFAULT_FAST_COMMIT_BLOCKS = 256;

    /** s_checksum_type of crc32c. */
    public static final int CHECKSUM_CRC32C = 4;

    static final int BLOCKSIZE = 0x0C;
    static final int MAXLEN = 0x10;
    static final int FIRST = 0x14;
    static final int SEQUENCE = 0x18;
    static final int START = 0x1C;
    static final int ERRNO = 0x20;
    static final int COMPAT = 0x24;
    static final int INCOMPAT = 0x28;
    static final int RO_COMPAT = 0x2C;
    static final int UUID = 0x30;
    static final int NR_USERS = 0x40;
    static final int CHECKSUM_TYPE = 0x50;
    static final int NUM_FC_BLKS = 0x54;
    static final int HEAD = 0x58;
    static final int CHECKSUM = 0xFC;
    private static final int UUID_SIZE = 16;

    private JournalSuperblock() {}

    /** Log block size, bytes. */
    public static int blockSize(byte[] b) {
        return Be.i32(b, BLOCKSIZE);
    }

    /** Length of the journal with superblock and fast-commit area, blocks, unsigned. */
    public static int maxLen(byte[] b) {
        return Be.i32(b, MAXLEN);
    }

    /** First block of the log ring. */
    public static int first(byte[] b) {
        return Be.i32(b, FIRST);
    }

    /** One past the last block of the log ring: without the fast-commit area. */
    public static int logEnd(byte[] b) {
        return maxLen(b) - fastCommitBlocks(b);
    }

    /** Number of the first transaction to expect in the log. */
    public static int sequence(byte[] b) {
        return Be.i32(b, SEQUENCE);
    }

    public static void setSequence(byte[] b, int sequence) {
        Be.put32(b, SEQUENCE, sequence);
    }

    /** Log block of the oldest transaction to replay; 0 if there is none. */
    public static int start(byte[] b) {
        return Be.i32(b, START);
    }

    public static void setStart(byte[] b, int logBlock) {
        Be.put32(b, START, logBlock);
    }

    /** The error the journal was aborted with, a negative errno as Linux writes it; 0 if none. */
    public static int errno(byte[] b) {
        return Be.i32(b, ERRNO);
    }

    public static void setErrno(byte[] b, int errno) {
        Be.put32(b, ERRNO, errno);
    }

    /**
     * Where the log ends, valid only in a clean journal; 0 if it was never recorded. Not checked by {@link #validate}.
     */
    public static int head(byte[] b) {
        return Be.i32(b, HEAD);
    }

    public static void setHead(byte[] b, int logBlock) {
        Be.put32(b, HEAD, logBlock);
    }

    public static int compat(byte[] b) {
        return isVersion2(b) ? Be.i32(b, COMPAT) : 0;
    }

    public static int incompat(byte[] b) {
        return isVersion2(b) ? Be.i32(b, INCOMPAT) : 0;
    }

    public static int roCompat(byte[] b) {
        return isVersion2(b) ? Be.i32(b, RO_COMPAT) : 0;
    }

    /** Replaces the feature sets. With checksum v2 or v3 the checksum type becomes crc32c, without it 0. */
    public static void setFeatures(byte[] b, int compat, int incompat, int roCompat) {
        Be.put32(b, COMPAT, compat);
        Be.put32(b, INCOMPAT, incompat);
        Be.put32(b, RO_COMPAT, roCompat);
        b[CHECKSUM_TYPE] = (byte) (hasChecksum(b) ? CHECKSUM_CRC32C : 0);
    }

    /** Blocks of the fast-commit area; 0 without the feature. */
    public static int fastCommitBlocks(byte[] b) {
        if ((incompat(b) & JournalFeature.INCOMPAT_FAST_COMMIT) == 0) {
            return 0;
        }
        int blocks = Be.i32(b, NUM_FC_BLKS);
        return blocks == 0 ? DEFAULT_FAST_COMMIT_BLOCKS : blocks;
    }

    /** s_num_fc_blks as it stands, unsigned, whatever the features say. */
    public static long storedFastCommitBlocks(byte[] b) {
        return Be.u32(b, NUM_FC_BLKS);
    }

    /** s_checksum as it stands. */
    public static int storedChecksum(byte[] b) {
        return Be.i32(b, CHECKSUM);
    }

    /** A copy of the 16 bytes of s_uuid. */
    public static byte[] uuid(byte[] b) {
        return Arrays.copyOfRange(b, UUID, UUID + UUID_SIZE);
    }

    /** How many filesystems use the journal: 1 inside a filesystem. */
    public static int users(byte[] b) {
        return Be.i32(b, NR_USERS);
    }

    /** Whether features or users are set, which a version 1 superblock does not have. */
    public static boolean hasVersion2Fields(byte[] b) {
        return (Be.i32(b, COMPAT) | Be.i32(b, INCOMPAT) | Be.i32(b, RO_COMPAT) | Be.i32(b, NR_USERS)) != 0;
    }

    /** crc32c(~0, s_uuid): what all checksums of the log start from. */
    public static int seed(byte[] b) {
        return Crc32c.raw(Crc32c.START, b, UUID, UUID_SIZE);
    }

    public static boolean isVersion2(byte[] b) {
        return BlockHeader.type(b) == BlockHeader.SUPERBLOCK_V2;
    }

    /** Whether control blocks and tags have checksums (v2 or v3). */
    public static boolean hasChecksum(byte[] b) {
        return (incompat(b) & (JournalFeature.INCOMPAT_CSUM_V2 | JournalFeature.INCOMPAT_CSUM_V3)) != 0;
    }

    /** Stores the checksum if the features ask for one. */
    public static void seal(byte[] b) {
        if (hasChecksum(b)) {
            Be.put32(b, CHECKSUM, checksum(b));
        }
    }

    /** Whether the checksum is right; true if the features ask for none. */
    public static boolean verify(byte[] b) {
        return !hasChecksum(b) || Be.i32(b, CHECKSUM) == checksum(b);
    }

    private static int checksum(byte[] b) {
        int crc = Crc32c.rawZeros(Crc32c.raw(Crc32c.START, b, 0, CHECKSUM), 4);
        return Crc32c.raw(crc, b, CHECKSUM + 4, SIZE - CHECKSUM - 4);
    }

    /**
     * Writes the superblock of a new, clean journal without features: what mke2fs leaves, and what the first mount
     * amends.
     *
     * @param b at least {@link #SIZE} bytes, overwritten
     * @param fastCommitBlocks size of the area for s_num_fc_blks, 0 if none is wanted
     */
    public static void init(byte[] b, int blockSize, int maxLen, byte[] uuid, int fastCommitBlocks) {
        Arrays.fill(b, 0, SIZE, (byte) 0);
        BlockHeader.write(b, BlockHeader.SUPERBLOCK_V2, 0);
        Be.put32(b, BLOCKSIZE, blockSize);
        Be.put32(b, MAXLEN, maxLen);
        Be.put32(b, FIRST, 1);
        Be.put32(b, SEQUENCE, 1);
        System.arraycopy(uuid, 0, b, UUID, UUID_SIZE);
        Be.put32(b, NR_USERS, 1);
        Be.put32(b, NUM_FC_BLKS, fastCommitBlocks);
    }

    /**
     * Checks magic, sizes, the place of the log, and the checksum. Unknown features are not an error here: look at
     * {@link #incompat} and {@link #roCompat}.
     *
     * @param b at least {@link #SIZE} bytes
     * @param fsBlockSize the filesystem's block size, bytes
     * @param journalBlocks the journal's length by its inode or device, blocks
     */
    public static void validate(byte[] b, int fsBlockSize, long journalBlocks) throws FormatException {
        require(BlockHeader.hasMagic(b, 0), "h_magic", Be.u32(b, 0), "0xC03B3998");
        int type = BlockHeader.type(b);
        require(type == BlockHeader.SUPERBLOCK_V1 || type == BlockHeader.SUPERBLOCK_V2, "h_blocktype", type, "3 or 4");
        require(blockSize(b) == fsBlockSize, "s_blocksize", blockSize(b), "" + fsBlockSize);
        validateFeatures(b);
        if (!verify(b)) {
            throw new FormatException(
                    "journal superblock",
                    0,
                    "s_checksum",
                    Be.u32(b, CHECKSUM),
                    "0x" + Integer.toHexString(checksum(b)));
        }
        long maxLen = Be.u32(b, MAXLEN);
        require(
                maxLen >= MIN_BLOCKS && maxLen <= journalBlocks && maxLen <= Integer.MAX_VALUE,
                "s_maxlen",
                maxLen,
                MIN_BLOCKS + " to " + journalBlocks);
        long fastCommit = fastCommitBlocks(b) & 0xFFFFFFFFL;
        require(maxLen - fastCommit >= MIN_BLOCKS, "s_num_fc_blks", fastCommit, "a log of " + MIN_BLOCKS + " blocks");
        long first = Be.u32(b, FIRST);
        long end = maxLen - fastCommit;
        require(first >= 1 && first < end, "s_first", first, "1 to " + (end - 1));
        long start = Be.u32(b, START);
        require(start == 0 || start >= first && start < end, "s_start", start, "0 or " + first + " to " + (end - 1));
    }

    private static void validateFeatures(byte[] b) throws FormatException {
        int v2 = JournalFeature.INCOMPAT_CSUM_V2;
        int v3 = JournalFeature.INCOMPAT_CSUM_V3;
        int incompat = incompat(b);
        require((incompat & (v2 | v3)) != (v2 | v3), "s_feature_incompat", incompat, "not both csum_v2 and csum_v3");
        if (hasChecksum(b)) {
            int compat = compat(b);
            require((compat & JournalFeature.COMPAT_CHECKSUM) == 0, "s_feature_compat", compat, "no second checksum");
            require(b[CHECKSUM_TYPE] == CHECKSUM_CRC32C, "s_checksum_type", b[CHECKSUM_TYPE], "4");
        }
    }

    private static void require(boolean holds, String field, long found, String expected) throws FormatException {
        if (!holds) {
            throw new FormatException("journal superblock", 0, field, found, expected);
        }
    }
}
