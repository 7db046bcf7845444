// SPDX-License-Identifier: Apache-2.0
package ext4.format.jbd2;

import java.util.Arrays;

/**
 * Fills descriptor blocks. One object serves a whole journal; not thread-safe.
 *
 * <pre>{@code
 * writer.open(block, sequence);
 * while (more && writer.add(fsBlock, escaped, format.tagChecksum(sequence, copy, 0))) { ... }
 * writer.finish(); // block is ready to be written before the blocks its tags name
 * }</pre>
 */
public final class DescriptorWriter {
    private final LogFormat format;
    private byte[] block;
    private int lastTag;
    private int next;

    public DescriptorWriter(LogFormat format) {
        this.format = format;
    }

    /** The tags that fit into one block. */
    public static int capacity(LogFormat format) {
        int space = format.contentEnd() - BlockHeader.SIZE - Tag.UUID_SIZE;
        return space / format.tagSize();
    }

    /**
     * Starts a descriptor block of that transaction: clears the array (at least one log block) and writes the header.
     */
    public void open(byte[] b, int sequence) {
        block = b;
        Arrays.fill(b, 0, format.blockSize(), (byte) 0);
        BlockHeader.write(b, BlockHeader.DESCRIPTOR, sequence);
        lastTag = -1;
        next = BlockHeader.SIZE;
    }

    /**
     * Adds a tag.
     *
     * @param checksum of the block as it goes to the log, {@link LogFormat#tagChecksum}
     * @return false (nothing changed) if the block is full
     */
    public boolean add(long fsBlock, boolean escaped, int checksum) {
        boolean first = lastTag < 0;
        int size = format.tagSize() + (first ? Tag.UUID_SIZE : 0);
        if (next + size > format.contentEnd()) {
            return false;
        }
        if (fsBlock < 0 || fsBlock > format.maxBlock()) {
            throw new IllegalArgumentException("block " + fsBlock + " in a log of narrow block numbers");
        }
        int flags = (first ? 0 : Tag.SAME_UUID) | (escaped ? Tag.ESCAPED : 0);
        Tag.write(format, block, next, fsBlock, flags, checksum);
        lastTag = next;
        next += size;
        return true;
    }

    /** Whether {@link #add} would return false. */
    public boolean isFull() {
        return next + format.tagSize() + (lastTag < 0 ? Tag.UUID_SIZE : 0) > format.contentEnd();
    }

    /** Marks the last tag and seals the block. At least one tag was added. */
    public void finish() {
        if (lastTag < 0) {
            throw new IllegalStateException("a descriptor block without tags");
        }
        Tag.setFlags(format, block, lastTag, Tag.flags(format, block, lastTag) | Tag.LAST);
        format.sealTail(block);
    }
}
