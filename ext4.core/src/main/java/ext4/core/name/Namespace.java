// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.fs.Attributes;
import ext4.api.fs.CorruptException;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.core.dir.DirFile;
import ext4.core.dir.Directories;
import ext4.core.file.AccessTime;
import ext4.core.file.Engine;
import ext4.core.file.GetAttr;
import ext4.core.inode.Inode;
import ext4.core.volume.Volume;
import ext4.core.xattr.Xattrs;
import ext4.format.inode.InodeFlags;
import java.util.concurrent.locks.ReentrantLock;

/** What the verbs on names share: the parts of the filesystem, the rename lock, and the rules for names and parents. */
public final class Namespace {
    /** Longest name, bytes. */
    public static final int NAME_MAX = 255;

    private final Engine engine;
    private final Directories directories;
    private final Xattrs xattrs;
    private final AccessTime accessTime;
    private final ReentrantLock renameLock = new ReentrantLock();

    /** Of one mounted filesystem. */
    public Namespace(Engine engine, Xattrs xattrs) {
        this.engine = engine;
        this.directories = new Directories(engine.volume().superblock(), engine.map(), engine.records());
        this.xattrs = xattrs;
        this.accessTime = new AccessTime(engine.volume(), engine.records());
    }

    Engine engine() {
        return engine;
    }

    Volume volume() {
        return engine.volume();
    }

    Directories directories() {
        return directories;
    }

    Xattrs xattrs() {
        return xattrs;
    }

    /** Held by a rename of a directory into another one, before any inode lock. */
    ReentrantLock renameLock() {
        return renameLock;
    }

    /** When reading a directory or a link changes its access time. */
    AccessTime accessTime() {
        return accessTime;
    }

    Handle start(int credits, int orphanChanges) {
        return volume().start(HandleKind.NAMESPACE, credits, orphanChanges);
    }

    /** Whether the name is "." or "..". */
    static boolean isDots(byte[] name) {
        return name.length == 1 && name[0] == '.' || name.length == 2 && name[0] == '.' && name[1] == '.';
    }

    /** Refuses what no directory can hold: ENOENT for an empty name, ENAMETOOLONG, EINVAL for a slash or NUL. */
    static void checkName(byte[] name) {
        if (name.length == 0) {
            throw ErrnoException.of(Errno.ENOENT);
        }
        if (name.length > NAME_MAX) {
            throw ErrnoException.of(Errno.ENAMETOOLONG);
        }
        for (byte b : name) {
            if (b == 0 || b == '/') {
                throw ErrnoException.of(Errno.EINVAL);
            }
        }
    }

    /** ENOTDIR unless it is a directory; ENOENT in one that was removed and lives only by its pins. */
    static void checkParent(Inode directory) {
        if (!directory.isDirectory()) {
            throw ErrnoException.of(Errno.ENOTDIR);
        }
        if (directory.nlink == 0) {
            throw ErrnoException.of(Errno.ENOENT);
        }
    }

    /** EPERM where chattr(1) forbids to add a name. */
    static void checkMayAdd(Inode directory) {
        if (directory.hasFlag(InodeFlags.IMMUTABLE)) {
            throw ErrnoException.of(Errno.EPERM);
        }
    }

    /** EPERM where chattr(1) forbids to take a name away from {@code child}. */
    static void checkMayRemove(Inode directory, Inode child) {
        int frozen = InodeFlags.IMMUTABLE | InodeFlags.APPEND;
        if (((directory.flags | child.flags) & frozen) != 0) {
            throw ErrnoException.of(Errno.EPERM);
        }
    }

    /** The directory's blocks; the caller made sure that it is one. */
    DirFile open(Inode directory, Credentials who) {
        return directories.open(directory, who);
    }

    /**
     * Checks the number that an entry holds before it is used.
     *
     * @throws CorruptException unless it is the root or an inode for users, and not the directory itself
     */
    int checkedTarget(int directory, int ino) {
        if (!isTarget(ino) || ino == directory) {
            throw badTarget(directory, ino, "an inode for users");
        }
        return ino;
    }

    /** Whether an entry may name this inode: the root or one for users. */
    boolean isTarget(int ino) {
        int first = volume().superblock().firstIno();
        int last = volume().superblock().inodesCount();
        return ino == Inode.ROOT || Integer.compareUnsigned(ino, first) >= 0 && Integer.compareUnsigned(ino, last) <= 0;
    }

    /** Pins what a caller is told of; the root needs no pin. */
    void pin(int ino) {
        if (ino != Inode.ROOT) {
            engine.pins().add(ino);
        }
    }

    /** Takes back what {@link #pin} did. */
    void unpin(int ino) {
        if (ino != Inode.ROOT) {
            engine.forget(ino, 1);
        }
    }

    /** ESTALE for an inode whose number the operating system knows as that of another: what names it may be right. */
    void checkNotPromised(int ino) {
        if (engine.pins().isPromised(ino)) {
            throw ErrnoException.of(Errno.ESTALE);
        }
    }

    /** The entry of a directory names an inode that can't be what it names. */
    static CorruptException badTarget(int directory, int ino, String expected) {
        return new CorruptException(
                "directory " + Integer.toUnsignedString(directory),
                -1,
                "inode of an entry",
                Integer.toUnsignedString(ino),
                expected);
    }

    /**
     * Tells the attributes of an inode that the caller keeps alive.
     *
     * @throws ErrnoException ESTALE if it is not in use
     */
    void describe(int ino, Attributes out) {
        Inode near = engine.inodes().readLocked(ino);
        if (near == null) {
            describeHeld(ino, out);
            return;
        }
        try {
            near.checkLive();
            GetAttr.fill(near, out);
        } finally {
            near.lock.readLock().unlock();
        }
    }

    private void describeHeld(int ino, Attributes out) {
        Inode inode = engine.inodes().get(ino);
        inode.lock.readLock().lock();
        try {
            inode.checkLive();
            GetAttr.fill(inode, out);
        } finally {
            inode.lock.readLock().unlock();
            engine.inodes().put(inode);
        }
    }
}
