// SPDX-License-Identifier: Apache-2.0
package ext4.format.dir;

/**
 * The file type byte of a directory entry and the format bits of i_mode.
 *
 * <p>The byte is in use only with the feature {@code filetype}; without it every entry holds 0 ({@link #UNKNOWN}).
 */
public final class FileType {
    public static final int UNKNOWN = 0;
    public static final int REGULAR = 1;
    public static final int DIRECTORY = 2;
    public static final int CHARACTER = 3;
    public static final int BLOCK = 4;
    public static final int FIFO = 5;
    public static final int SOCKET = 6;
    public static final int SYMLINK = 7;
    /** Marks the checksum tail of a leaf; no file has it. */
    public static final int CHECKSUM_TAIL = 0xDE;

    private static final int FORMAT_MASK = 0xF000;

    private FileType() {}

    /** The byte for a mode (only its format bits count), {@link #UNKNOWN} for an unknown format. */
    public static int fromMode(int mode) {
        return switch (mode & FORMAT_MASK) {
            case 0x8000 -> REGULAR;
            case 0x4000 -> DIRECTORY;
            case 0x2000 -> CHARACTER;
            case 0x6000 -> BLOCK;
            case 0x1000 -> FIFO;
            case 0xC000 -> SOCKET;
            case 0xA000 -> SYMLINK;
            default -> UNKNOWN;
        };
    }

    /** The byte to store: {@link #fromMode} with the feature {@code filetype}, else 0. */
    public static int toStore(int mode, boolean filetypeFeature) {
        return filetypeFeature ? fromMode(mode) : UNKNOWN;
    }

    /** The format bits (S_IFMT) for a byte; 0 if unknown: then the inode must be read. */
    public static int toMode(int fileType) {
        return switch (fileType) {
            case REGULAR -> 0x8000;
            case DIRECTORY -> 0x4000;
            case CHARACTER -> 0x2000;
            case BLOCK -> 0x6000;
            case FIFO -> 0x1000;
            case SOCKET -> 0xC000;
            case SYMLINK -> 0xA000;
            default -> 0;
        };
    }
}
