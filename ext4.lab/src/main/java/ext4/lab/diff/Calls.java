// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.sys.VolumeStatus;
import java.util.List;

/**
 * System calls on one of the two sides, by path below its root ("" is the root) and by slot of an open file. No symbolic
 * link is followed. A call that fails throws {@link Refused}. Belongs to one thread.
 */
interface Calls extends AutoCloseable {
    /** Open files at most. */
    int SLOTS = 8;
    /** {@link #open} flag: writes go to the end. */
    int APPEND = 1;
    /** {@link #open} flag: emptied. */
    int TRUNCATE = 2;

    void mkdir(String path, int mode);

    void mknod(String path, int mode, int major, int minor);

    void symlink(String path, String target);

    void link(String old, String path);

    void rename(String from, String to, int flags);

    void unlink(String path);

    void rmdir(String path);

    /** open(2), O_CREAT|O_EXCL. */
    void create(int slot, String path, int mode);

    /** open(2) of what exists; EISDIR, ELOOP or ENXIO for what is no regular file. */
    void open(int slot, String path, int flags);

    /** open(2), O_TMPFILE. */
    void tmpfile(int slot, String directory, int mode);

    /** Names an open file. */
    void linkOpen(int slot, String path);

    /** EBADF if the slot is empty, as all calls on slots. */
    void close(int slot);

    /** The bytes written. */
    long write(int slot, long offset, byte[] data);

    byte[] read(int slot, long offset, int length);

    void truncate(String path, long size);

    void setSize(int slot, long size);

    void fallocate(int slot, int mode, long offset, long length);

    long seek(int slot, long offset, boolean hole);

    void chmod(String path, int mode);

    /** -1 leaves as it is. */
    void chown(String path, int uid, int gid);

    /** As utimensat(2): nanoseconds may be {@link #NOW} or {@link #OMIT}. */
    void utimens(String path, long atime, int atimeNanos, long mtime, int mtimeNanos);

    /** UTIME_NOW. */
    int NOW = 0x3fffffff;
    /** UTIME_OMIT. */
    int OMIT = 0x3ffffffe;

    void setxattr(String path, String name, byte[] value, int flags);

    byte[] getxattr(String path, String name);

    List<String> listxattr(String path);

    void removexattr(String path, String name);

    String readlink(String path);

    /** All names but "." and "..". */
    List<String> list(String directory);

    Status stat(String path);

    Status stat(int slot);

    boolean isOpen(int slot);

    VolumeStatus statfs();

    void fsync(int slot);

    void sync();

    /** copy_file_range(2); the bytes copied. */
    long copy(int from, long fromOffset, int to, long toOffset, long length);

    /** FICLONE. */
    void share(int from, int to);

    /** The flags of chattr(1) of a file or directory, -1 if they can't be had here. */
    long flags(String path);

    /** Before the holes are asked for: nothing in memory may hide how the files are mapped. */
    void settle(int slot);

    /** Closes all slots. */
    void closeSlots();

    @Override
    void close();
}
