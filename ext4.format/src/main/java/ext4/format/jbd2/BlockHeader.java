// SPDX-License-Identifier: Apache-2.0
package ext4.format.jbd2;

/**
 * The 12 bytes that begin each control block (u32 magic, u32 type, u32 sequence), and the escape of logged blocks that
 * would look like one.
 */
public final class BlockHeader {
    public static final int MAGIC = 0xC03B3998;

    /** Size in bytes. */
    public static final int SIZE = 12;

    public static final int DESCRIPTOR = 1;
    public static final int COMMIT = 2;
    public static final int SUPERBLOCK_V1 = 3;
    public static final int SUPERBLOCK_V2 = 4;
    public static final int REVOKE = 5;

    private static final int TYPE = 4;
    private static final int SEQUENCE = 8;

    private BlockHeader() {}

    /** Whether the block begins with the magic: it is a control block, or must be escaped when it is logged. */
    public static boolean hasMagic(byte[] b, int off) {
        return Be.i32(b, off) == MAGIC;
    }

    /** Whether this is a control block of that transaction. */
    public static boolean isOf(byte[] b, int sequence) {
        return hasMagic(b, 0) && sequence(b) == sequence;
    }

    public static int type(byte[] b) {
        return Be.i32(b, TYPE);
    }

    /** The transaction's number; compare by the sign of the difference. */
    public static int sequence(byte[] b) {
        return Be.i32(b, SEQUENCE);
    }

    public static void write(byte[] b, int type, int sequence) {
        Be.put32(b, 0, MAGIC);
        Be.put32(b, TYPE, type);
        Be.put32(b, SEQUENCE, sequence);
    }

    /** Zeroes the magic of a copy that goes to the log; its tag gets the escaped flag. */
    public static void escape(byte[] b, int off) {
        Be.put32(b, off, 0);
    }

    /** Puts back the magic of a block whose tag says that it was escaped; after its checksum was compared. */
    public static void unescape(byte[] b, int off) {
        Be.put32(b, off, MAGIC);
    }
}
