// SPDX-License-Identifier: Apache-2.0
package ext4.format.jbd2;

/**
 * Walks over the tags of descriptor blocks. One object serves a whole recovery; not thread-safe.
 *
 * <pre>{@code
 * reader.open(block);
 * while (reader.next()) {
 *     // the next log block belongs to filesystem block reader.fsBlock()
 * }
 * }</pre>
 * The walk ends at the tag marked last, or where no further tag fits, as the kernel's does; so any bytes give at most
 * (block size - 12) / tag size tags. Whether a number lies inside the filesystem is for the caller to check.
 */
public final class DescriptorReader {
    private final LogFormat format;
    private byte[] block;
    private int tag;
    private int next;
    private boolean last;

    public DescriptorReader(LogFormat format) {
        this.format = format;
    }

    /** Starts over with a descriptor block, whose tail checksum the caller verified or decided about. */
    public void open(byte[] descriptor) {
        block = descriptor;
        next = BlockHeader.SIZE;
        last = false;
    }

    /** Steps to the next tag; false if there is none. */
    public boolean next() {
        if (last || next + format.tagSize() > format.contentEnd()) {
            return false;
        }
        tag = next;
        int flags = Tag.flags(format, block, tag);
        last = (flags & Tag.LAST) != 0;
        next = tag + format.tagSize() + ((flags & Tag.SAME_UUID) != 0 ? 0 : Tag.UUID_SIZE);
        return true;
    }

    /** The filesystem block that the logged block replaces; negative only in damaged tags. */
    public long fsBlock() {
        return Tag.block(format, block, tag);
    }

    /** Whether the logged block's first word was the magic and is stored as 0. */
    public boolean isEscaped() {
        return (Tag.flags(format, block, tag) & Tag.ESCAPED) != 0;
    }

    /** For {@link LogFormat#matchesTag}. */
    public int checksum() {
        return Tag.checksum(format, block, tag);
    }

    /** How many tags a descriptor block has, and so how many log blocks follow it. */
    public static int count(LogFormat format, byte[] descriptor) {
        DescriptorReader reader = new DescriptorReader(format);
        reader.open(descriptor);
        int count = 0;
        while (reader.next()) {
            count++;
        }
        return count;
    }
}
