// SPDX-License-Identifier: Apache-2.0
package ext4.format.jbd2;

import ext4.format.Le;
import ext4.format.checksum.Crc32c;

/**
 * Blocks of the fast-commit area: little-endian records of u16 tag, u16 length and a value. A fast commit begins (the first
 * one with a head record) after the end of the one before and ends with a tail record of u32 transaction number and u32
 * crc32c, started at 0, over all its records and the tail up to the checksum. Source: kernel documentation,
 * {@code filesystems/ext4/journal.rst}, fast commits.
 */
public final class FastCommitBlock {
    private static final int RECORD_HEADER = 4;
    private static final int TAG_TAIL = 8;
    private static final int TAG_HEAD = 9;
    private static final int TAIL_CHECKSUM = 4;
    private static final int TAIL_SIZE = 8;
    private static final int HEAD_TID = 4;
    private static final int HEAD_SIZE = 8;

    private FastCommitBlock() {}

    /** Whether the block begins with the head record of transaction {@code tid}. */
    public static boolean beginsWithHead(byte[] b, int tid) {
        return Le.u16(b, 0) == TAG_HEAD && Le.u16(b, 2) >= HEAD_SIZE && Le.i32(b, RECORD_HEADER + HEAD_TID) == tid;
    }

    /** Reads the records of blocks that follow each other, looking for the first tail. */
    public static final class TailFinder {
        private final int tid;
        private int crc;
        private boolean found;

        public TailFinder(int tid) {
            this.tid = tid;
        }

        /** Whether the first tail has come, is of the transaction and its checksum is right. */
        public boolean found() {
            return found;
        }

        /** Reads one block; false if no further block belongs to the fast commit. */
        public boolean read(byte[] b) {
            int at = 0;
            while (at + RECORD_HEADER <= b.length) {
                int tag = Le.u16(b, at);
                int length = Le.u16(b, at + 2);
                int value = at + RECORD_HEADER;
                if (tag == 0 || tag > TAG_HEAD || value + length > b.length) {
                    return false;
                }
                if (tag == TAG_TAIL) {
                    found = length >= TAIL_SIZE && isTail(b, at);
                    return false;
                }
                crc = Crc32c.raw(crc, b, at, RECORD_HEADER + length);
                at = value + length;
            }
            return true;
        }

        private boolean isTail(byte[] b, int at) {
            int value = at + RECORD_HEADER;
            int sum = Crc32c.raw(crc, b, at, RECORD_HEADER + TAIL_CHECKSUM);
            return Le.i32(b, value) == tid && Le.i32(b, value + TAIL_CHECKSUM) == sum;
        }
    }
}
