// SPDX-License-Identifier: Apache-2.0
package ext4.core.cache;

/**
 * Why a {@link ext4.api.fs.DeviceException} of the cache was thrown, as its cause: which metadata block the device could not
 * read. The caller of a verb sees an ordinary failure of the device; the errors= policy sees that it is one of metadata.
 */
public final class UnreadableBlock extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient BlockKind kind;
    private final long pblk;

    UnreadableBlock(BlockKind kind, long pblk, Throwable cause) {
        super(kind.what() + ", block " + pblk, cause);
        this.kind = kind;
        this.pblk = pblk;
    }

    /** What the block was to hold. */
    public BlockKind kind() {
        return kind;
    }

    /** Its number. */
    public long pblk() {
        return pblk;
    }
}
