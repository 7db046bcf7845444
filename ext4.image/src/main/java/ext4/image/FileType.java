// SPDX-License-Identifier: Apache-2.0
package ext4.image;

/** What an inode is. */
public enum FileType {
    /** A regular file. */
    REGULAR(0100000, '-'),
    /** A directory. */
    DIRECTORY(0040000, 'd'),
    /** A symbolic link. */
    SYMLINK(0120000, 'l'),
    /** A character device. */
    CHARACTER_DEVICE(0020000, 'c'),
    /** A block device. */
    BLOCK_DEVICE(0060000, 'b'),
    /** A named pipe. */
    FIFO(0010000, 'p'),
    /** A socket. */
    SOCKET(0140000, 's'),
    /** None of them: the inode can't be read. */
    UNKNOWN(0, '?');

    static final int MASK = 0170000;

    private final int bits;
    private final char letter;

    FileType(int bits, char letter) {
        this.bits = bits;
        this.letter = letter;
    }

    /** The type bits (S_IFMT) of a mode. */
    public int bits() {
        return bits;
    }

    /** The letter that {@code ls -l} shows. */
    public char letter() {
        return letter;
    }

    /** The type that a mode says. */
    public static FileType of(int mode) {
        for (FileType type : values()) {
            if ((mode & MASK) == type.bits) {
                return type;
            }
        }
        return UNKNOWN;
    }
}
