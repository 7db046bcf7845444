// SPDX-License-Identifier: Apache-2.0
package ext4.format.jbd2;

/** Feature bits of the journal superblock. */
public final class JournalFeature {
    /** Compatible: commit blocks hold a CRC-32 of the transaction's blocks (checksum v1). */
    public static final int COMPAT_CHECKSUM = 0x1;

    /** Revoke blocks occur. */
    public static final int INCOMPAT_REVOKE = 0x1;

    /** Block numbers have 64 bits. */
    public static final int INCOMPAT_64BIT = 0x2;

    /** Commit blocks are written without waiting for the blocks before them. */
    public static final int INCOMPAT_ASYNC_COMMIT = 0x4;

    /** Checksums of all control blocks, 16 bits of each tag. */
    public static final int INCOMPAT_CSUM_V2 = 0x8;

    /** Checksums of all control blocks, 32 bits of each tag. */
    public static final int INCOMPAT_CSUM_V3 = 0x10;

    /** A fast-commit area at the end of the journal. */
    public static final int INCOMPAT_FAST_COMMIT = 0x20;

    /** All incompatible bits this package knows how to read. */
    public static final int INCOMPAT_KNOWN = 0x3F;

    private JournalFeature() {}
}
