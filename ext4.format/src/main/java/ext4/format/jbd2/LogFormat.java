// SPDX-License-Identifier: Apache-2.0
package ext4.format.jbd2;

import ext4.format.checksum.Crc32c;

/**
 * How the blocks of one journal are laid out: what its features decide, made once when it is opened (and again when
 * features change). Immutable, safe for any thread.
 */
public final class LogFormat {
    /** Size of the checksum at the end of descriptor and revoke blocks, bytes. */
    private static final int TAIL_SIZE = 4;

    private final int blockSize;
    private final int seed;
    private final boolean csumV1;
    private final boolean csumV2;
    private final boolean csumV3;
    private final boolean wide;

    private LogFormat(int blockSize, int seed, int compat, int incompat) {
        this.blockSize = blockSize;
        this.seed = seed;
        this.csumV1 = (compat & JournalFeature.COMPAT_CHECKSUM) != 0;
        this.csumV2 = (incompat & JournalFeature.INCOMPAT_CSUM_V2) != 0;
        this.csumV3 = (incompat & JournalFeature.INCOMPAT_CSUM_V3) != 0;
        this.wide = (incompat & JournalFeature.INCOMPAT_64BIT) != 0;
    }

    /** The format a {@linkplain JournalSuperblock#validate valid} superblock says. */
    public static LogFormat of(byte[] superblock) {
        return new LogFormat(
                JournalSuperblock.blockSize(superblock),
                JournalSuperblock.seed(superblock),
                JournalSuperblock.compat(superblock),
                JournalSuperblock.incompat(superblock));
    }

    /** Bytes of each log block. */
    public int blockSize() {
        return blockSize;
    }

    /** Whether control blocks and tags have checksums (v2 or v3). */
    public boolean hasChecksum() {
        return csumV2 || csumV3;
    }

    /** Whether commit blocks may hold the CRC-32 of their transaction: see {@link CommitBlock#matchesV1}. */
    public boolean hasChecksumV1() {
        return csumV1;
    }

    /** Whether block numbers have 64 bits; else 32. */
    public boolean is64Bit() {
        return wide;
    }

    boolean isTagV3() {
        return csumV3;
    }

    boolean isTagV2() {
        return csumV2;
    }

    /** Bytes of a tag, without the UUID behind the first: 16 with csum_v3, else 8 or 12, and 10 or 14 with csum_v2. */
    public int tagSize() {
        if (csumV3) {
            return 16;
        }
        return (wide ? 12 : 8) + (csumV2 ? 2 : 0);
    }

    /** Bytes of a number in a revoke block. */
    public int revokeSize() {
        return wide ? 8 : 4;
    }

    /** Where the content of a descriptor or revoke block ends. */
    public int contentEnd() {
        return hasChecksum() ? blockSize - TAIL_SIZE : blockSize;
    }

    /** The largest block number that fits into a tag. */
    public long maxBlock() {
        return wide ? Long.MAX_VALUE : 0xFFFFFFFFL;
    }

    /**
     * The checksum of a logged block, as it is stored in the log (after escaping): 32 bits, of which csum_v2 keeps
     * 16; 0 without checksums.
     */
    public int tagChecksum(int sequence, byte[] data, int off) {
        return hasChecksum() ? Crc32c.raw(Crc32c.rawBe32(seed, sequence), data, off, blockSize) : 0;
    }

    /** Whether a logged block has the checksum its tag says; true without checksums. */
    public boolean matchesTag(int tagChecksum, int sequence, byte[] data, int off) {
        int mask = csumV3 ? -1 : 0xFFFF;
        return !hasChecksum() || ((tagChecksum ^ tagChecksum(sequence, data, off)) & mask) == 0;
    }

    /** Stores the checksum at the end of a descriptor or revoke block, if there are checksums. */
    public void sealTail(byte[] b) {
        if (hasChecksum()) {
            Be.put32(b, contentEnd(), tailChecksum(b));
        }
    }

    /** Whether the checksum at the end of a descriptor or revoke block is right; true without checksums. */
    public boolean verifyTail(byte[] b) {
        return !hasChecksum() || Be.i32(b, contentEnd()) == tailChecksum(b);
    }

    private int tailChecksum(byte[] b) {
        return Crc32c.rawZeros(Crc32c.raw(seed, b, 0, contentEnd()), TAIL_SIZE);
    }

    int seed() {
        return seed;
    }
}
