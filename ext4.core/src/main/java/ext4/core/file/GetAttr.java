// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.api.fs.Attributes;
import ext4.core.inode.Inode;
import ext4.format.inode.DeviceNumber;
import ext4.format.inode.FileMode;
import ext4.format.inode.InodeFlags;

/** stat(2). */
public final class GetAttr {
    private final Engine engine;

    /** Works on these parts. */
    public GetAttr(Engine engine) {
        this.engine = engine;
    }

    /** See {@link ext4.api.fs.FileSystem#getattr}. */
    public void getattr(int ino, Attributes out) {
        Inode inode = engine.inodes().get(ino);
        try {
            inode.lock.readLock().lock();
            try {
                inode.checkLive();
                fill(inode, out);
            } finally {
                inode.lock.readLock().unlock();
            }
        } finally {
            engine.inodes().put(inode);
        }
    }

    /** Copies the attributes. The inode's lock is held. */
    public static void fill(Inode inode, Attributes out) {
        out.ino = inode.ino;
        out.generation = inode.generation;
        out.mode = inode.mode;
        out.nlink = inode.nlink;
        out.uid = inode.uid;
        out.gid = inode.gid;
        int rdev = FileMode.isDevice(inode.mode) ? DeviceNumber.ofIBlock(inode.iBlock) : 0;
        out.rdevMajor = DeviceNumber.major(rdev);
        out.rdevMinor = DeviceNumber.minor(rdev);
        out.size = inode.size;
        out.sectors = inode.sectors;
        out.atime = inode.atime;
        out.atimeNanos = inode.atimeNanos;
        out.mtime = inode.mtime;
        out.mtimeNanos = inode.mtimeNanos;
        out.ctime = inode.ctime;
        out.ctimeNanos = inode.ctimeNanos;
        out.crtime = inode.crtime;
        out.crtimeNanos = inode.crtimeNanos;
        out.flags = inode.flags & InodeFlags.USER_VISIBLE;
    }
}
