// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

import java.nio.ByteBuffer;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The verbs of a mounted filesystem, by inode. Any number of threads may call any of them at once. Each verb throws
 * {@link Ext4Exception}; the ordinary errors are those of the man page of the like-named system call.
 *
 * <p><b>Pins.</b> A verb that names an inode to its caller ({@link #lookup}, {@link #create}, {@link #mknod},
 * {@link #mkdir}, {@link #symlink}, {@link #link}, {@link #tmpfile}, an entry taken in {@link #readdirplus}) pins it
 * once; {@link #forget} gives pins back. An inode without links lives until its last pin is gone. Inode 2, the root,
 * needs no pin.
 */
@ProviderType
public interface FileSystem {
    /** {@link #rename} flag: EEXIST if the new name exists (RENAME_NOREPLACE). */
    int RENAME_NOREPLACE = 1;
    /** {@link #rename} flag: both names exist and change places (RENAME_EXCHANGE). */
    int RENAME_EXCHANGE = 2;
    /** {@link #fallocate} flag: the size stays (FALLOC_FL_KEEP_SIZE). */
    int FALLOC_KEEP_SIZE = 1;
    /** {@link #fallocate} flag: blocks are given back, the range reads as zeros (FALLOC_FL_PUNCH_HOLE). */
    int FALLOC_PUNCH_HOLE = 2;
    /** {@link #fallocate} flag: the range becomes unwritten, it reads as zeros (FALLOC_FL_ZERO_RANGE). */
    int FALLOC_ZERO_RANGE = 16;
    /** {@link #write} flag: at the end of the file, whatever the offset (O_APPEND). */
    int WRITE_APPEND = 1;
    /** {@link #write} flag: clear set-id bits and security.capability first. */
    int WRITE_KILL_PRIVILEGES = 2;
    /** {@link #setxattr} flag: EEXIST if it exists (XATTR_CREATE). */
    int XATTR_CREATE = 1;
    /** {@link #setxattr} flag: ENODATA if it does not (XATTR_REPLACE). */
    int XATTR_REPLACE = 2;

    /** Finds {@code name} in directory {@code parent} and pins what it names. */
    void lookup(int parent, byte[] name, Attributes out);

    /** Adds a pin to an inode whose number the caller already holds pinned. */
    void pin(int ino);

    /** Gives {@code count} pins back. Freeing what this was the last use of may go on after it returned. */
    void forget(int ino, long count);

    /** stat(2). ESTALE for an inode that is not in use. */
    void getattr(int ino, Attributes out);

    /** chmod(2), chown(2), truncate(2), utimensat(2). */
    void setattr(Credentials who, int ino, AttributeChange change, Attributes out);

    /** open(2) with O_CREAT|O_EXCL: a regular file. */
    void create(Credentials who, int parent, byte[] name, int mode, Attributes out);

    /** mknod(2): regular file, fifo, socket, character or block device by the type bits of {@code mode}. */
    void mknod(Credentials who, int parent, byte[] name, int mode, int major, int minor, Attributes out);

    /** mkdir(2). */
    void mkdir(Credentials who, int parent, byte[] name, int mode, Attributes out);

    /** symlink(2). */
    void symlink(Credentials who, int parent, byte[] name, byte[] target, Attributes out);

    /** open(2) with O_TMPFILE: a file without a name, on the orphan list until {@link #link} names it. */
    void tmpfile(Credentials who, int parent, int mode, Attributes out);

    /** link(2). */
    void link(Credentials who, int ino, int newParent, byte[] newName, Attributes out);

    /** unlink(2). */
    void unlink(Credentials who, int parent, byte[] name);

    /** rmdir(2). */
    void rmdir(Credentials who, int parent, byte[] name);

    /** renameat2(2). */
    void rename(Credentials who, int parent, byte[] name, int newParent, byte[] newName, int flags);

    /** readlink(2), the whole target. */
    byte[] readlink(int ino);

    /** pread(2) of a regular file: bytes read, less than asked only at the end of the file. */
    int read(int ino, long offset, ByteBuffer dst);

    /**
     * pwrite(2) of a regular file: bytes written. A transport that sees no open(2) leaves these guards to this verb: EPERM
     * for an immutable inode, and for an append-only one without {@link #WRITE_APPEND}.
     */
    int write(Credentials who, int ino, long offset, ByteBuffer src, int flags);

    /**
     * Lists a directory. A cookie is a position that stays good while entries come and go and across a replacement of
     * the core: nothing about a listing is kept. 0 begins; an entry that exists through the whole listing is returned
     * exactly once.
     */
    void readdir(int ino, long cookie, DirSink sink);

    /** As {@link #readdir}, with attributes. An entry whose inode cannot be read comes with its number and type only. */
    void readdirplus(int ino, long cookie, DirPlusSink sink);

    /** getxattr(2) by full name such as {@code user.x}: the value. ENODATA if there is none. */
    byte[] getxattr(int ino, byte[] name);

    /** listxattr(2): full names. */
    List<byte[]> listxattr(int ino);

    /** setxattr(2). */
    void setxattr(Credentials who, int ino, byte[] name, byte[] value, int flags);

    /** removexattr(2). */
    void removexattr(Credentials who, int ino, byte[] name);

    /** fallocate(2). */
    void fallocate(Credentials who, int ino, int mode, long offset, long length);

    /** lseek(2) with SEEK_DATA ({@code hole} false) or SEEK_HOLE: the offset found; ENXIO past the end. */
    long seek(int ino, long offset, boolean hole);

    /** fsync(2), or fdatasync(2) if {@code dataOnly}. */
    void fsync(int ino, boolean dataOnly);

    /** syncfs(2): waits for outstanding evictions too. */
    void syncfs();

    /** statfs(2). */
    StatFs statfs();
}
