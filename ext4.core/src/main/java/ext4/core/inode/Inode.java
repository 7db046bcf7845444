// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.core.cache.CachedBlock;
import ext4.core.volume.WallClock;
import ext4.format.inode.FileMode;
import ext4.format.inode.InodeRecord;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * An inode in memory: the decoded fields of its record. Fields are read under {@link #lock}'s read lock or write lock
 * and changed under the write lock, with a handle open, followed by {@link InodeStore#write} under the same handle: the
 * record on disk is never behind, so an inode that nobody holds can leave memory at any time.
 *
 * <p>i_dtime is not among the fields: see {@link ext4.api.orphan.OrphanList}.
 *
 * <p>Locks are taken before handles; a parent directory before its child, several by ascending number (unsigned).
 */
public final class Inode extends Apart {
    /** Bytes of i_block. */
    public static final int I_BLOCK_BYTES = 60;

    /** Number of the root directory. */
    public static final int ROOT = 2;

    /** Inode number, unsigned. */
    public final int ino;
    /** The inode's lock. */
    public final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    // All below: guarded by lock.
    /** i_generation. */
    public int generation;
    /** File type and permission bits. */
    public int mode;
    /** Owner. */
    public int uid;
    /** Group. */
    public int gid;
    /** Links; 1 for a directory with too many subdirectories to count. */
    public int nlink;
    /** Size in bytes. */
    public long size;
    /** i_blocks in 512-byte sectors, whatever unit the record uses. */
    public long sectors;
    /** i_flags. */
    public int flags;
    /** i_version, 64 bit. */
    public long version;
    /** i_file_acl: block with extended attributes, 0 for none. */
    public long xattrBlock;
    /** Access time, seconds. */
    public long atime;
    /** Access time, nanoseconds. */
    public int atimeNanos;
    /** Modification time, seconds. */
    public long mtime;
    /** Modification time, nanoseconds. */
    public int mtimeNanos;
    /** Change time, seconds. */
    public long ctime;
    /** Change time, nanoseconds. */
    public int ctimeNanos;
    /** Creation time, seconds. */
    public long crtime;
    /** Creation time, nanoseconds. */
    public int crtimeNanos;
    /** i_extra_isize: bytes beyond 128 that are in use, 0 for records of 128 bytes. */
    public int extraIsize;
    /** i_projid; 0 where the record has no room for it. */
    public int projectId;
    /** The number was freed; this object is dead. */
    public boolean freed;
    /** i_block: extent root, block map, fast symlink or device number. */
    public final byte[] iBlock = new byte[I_BLOCK_BYTES];

    /** As many sectors fewer; a damaged i_blocks may say less than was there, and does not fall below zero. */
    public void subtractSectors(long count) {
        sectors = Math.max(0, sectors - count);
    }

    /** The transaction with the latest change of any field. */
    public long syncTid;
    /** The transaction with the latest change that fdatasync(2) needs: size or mapping. */
    public long datasyncTid;

    /** Times a block of this directory was about to change; written under the write lock, read without one too. */
    private volatile long contentChanges;

    /** The latest name that was looked for in this directory in vain; set under the read lock. One a directory. */
    public volatile AbsentName absent;

    /** Whether there is a security.capability attribute. Found under the read lock too, by whoever looks first. */
    public volatile Known capability = Known.NOT;

    /** Key to the checksum of the record, made when the generation or what is behind the fields was set. */
    int sealKey;
    /** Where the record begins in its block. */
    int recordOffset;
    /** The block of the record as last met: not held, so it may have left the cache. */
    CachedBlock table;

    // guarded by the stripe's monitor of InodeCache
    int holds;
    // guarded by the stripe's monitor of InodeCache: got since the hand of the cache passed
    boolean used;

    // guarded by the stripe's monitor: whether the record has been read
    boolean ready;
    // written under the stripe's monitor, read after it was taken: who has the number pinned means another inode
    boolean stale;
    // set before the object is shared; cleared by the one thread that reads the record
    boolean loading;
    // guarded by the stripe's monitor
    RuntimeException failure;

    /** What is known of an attribute without looking. */
    public enum Known {
        /** Nothing. */
        NOT,
        /** It is there. */
        PRESENT,
        /** It is not. */
        ABSENT
    }

    Inode(int ino) {
        this.ino = ino;
    }

    /**
     * Whether the number is still the one this object stands for; called with the lock held.
     *
     * @throws ErrnoException ESTALE if it was freed meanwhile
     */
    public void checkLive() {
        if (freed) {
            throw ErrnoException.of(Errno.ESTALE);
        }
    }

    /** A block of this directory is about to change. The write lock is held. */
    public void contentChanges() {
        long count = contentChanges;
        contentChanges = count + 1;
    }

    /**
     * How often the directory's blocks changed. If it is what it was when an entry was seen, the entry is still there, and
     * an inode pinned before this was called is the one that it names.
     */
    public long contentChangeCount() {
        return contentChanges;
    }

    /** Sets all four times of a new inode; {@code nanos} since 1970. */
    void setTimes(long nanos, int inodeSize) {
        Times.setAtime(this, WallClock.seconds(nanos), WallClock.fraction(nanos));
        Times.setMtime(this, WallClock.seconds(nanos), WallClock.fraction(nanos));
        Times.setCtime(this, WallClock.seconds(nanos), WallClock.fraction(nanos));
        crtime = inodeSize > InodeRecord.BASE_SIZE ? ctime : 0;
        crtimeNanos = inodeSize > InodeRecord.BASE_SIZE ? ctimeNanos : 0;
    }

    /** Whether it is a directory. */
    public boolean isDirectory() {
        return FileMode.isDirectory(mode);
    }

    /** Whether it is a regular file. */
    public boolean isRegular() {
        return FileMode.isRegular(mode);
    }

    /** Whether it is a symbolic link. */
    public boolean isSymlink() {
        return FileMode.isSymlink(mode);
    }

    /** Whether i_flags has all of {@code bits}. */
    public boolean hasFlag(int bits) {
        return (flags & bits) == bits;
    }

    @Override
    public String toString() {
        return "inode " + Integer.toUnsignedString(ino);
    }
}
