// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.Attributes;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/** Attributes of a file as they were when it was asked. Immutable. */
public final class ImageAttributes implements BasicFileAttributes {
    private static final int SECTOR = 512;
    private static final int PERMISSIONS = 07777;

    private final Attributes from;

    /** @param from is not changed afterwards */
    ImageAttributes(Attributes from) {
        this.from = from;
    }

    /** What it is. */
    public FileType type() {
        return FileType.of(from.mode);
    }

    /** Type and permission bits as in stat(2). */
    public int mode() {
        return from.mode;
    }

    /** Permission bits with set-user-id, set-group-id and sticky: 0 to 07777. */
    public int permissions() {
        return from.mode & PERMISSIONS;
    }

    /** Owner, unsigned 32 bits. */
    public long uid() {
        return Integer.toUnsignedLong(from.uid);
    }

    /** Group, unsigned 32 bits. */
    public long gid() {
        return Integer.toUnsignedLong(from.gid);
    }

    /** Inode number. */
    public long ino() {
        return Integer.toUnsignedLong(from.ino);
    }

    /** Links; 0 for an entry of a directory whose inode can't be read. */
    public int nlink() {
        return from.nlink;
    }

    /** Bytes allocated. */
    public long allocatedBytes() {
        return from.sectors * SECTOR;
    }

    /** Major device number of a device node. */
    public int deviceMajor() {
        return from.rdevMajor;
    }

    /** Minor device number of a device node. */
    public int deviceMinor() {
        return from.rdevMinor;
    }

    /** Time of the last change of the inode. */
    public FileTime changeTime() {
        return time(from.ctime, from.ctimeNanos);
    }

    @Override
    public FileTime lastModifiedTime() {
        return time(from.mtime, from.mtimeNanos);
    }

    @Override
    public FileTime lastAccessTime() {
        return time(from.atime, from.atimeNanos);
    }

    /** Time of creation; 1970 where the inode has no room for it. */
    @Override
    public FileTime creationTime() {
        return time(from.crtime, from.crtimeNanos);
    }

    private static FileTime time(long seconds, int nanos) {
        return FileTime.from(Instant.ofEpochSecond(seconds, nanos));
    }

    @Override
    public boolean isRegularFile() {
        return type() == FileType.REGULAR;
    }

    @Override
    public boolean isDirectory() {
        return type() == FileType.DIRECTORY;
    }

    @Override
    public boolean isSymbolicLink() {
        return type() == FileType.SYMLINK;
    }

    @Override
    public boolean isOther() {
        return !isRegularFile() && !isDirectory() && !isSymbolicLink();
    }

    /** Bytes; of a symbolic link the length of its target. */
    @Override
    public long size() {
        return from.size;
    }

    /** The inode number. */
    @Override
    public Object fileKey() {
        return ino();
    }
}
