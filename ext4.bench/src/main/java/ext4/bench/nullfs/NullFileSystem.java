// SPDX-License-Identifier: Apache-2.0
package ext4.bench.nullfs;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.DirPlusSink;
import ext4.api.fs.DirSink;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import ext4.api.fs.StatFs;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Names in memory, nothing else: what is written is dropped, what is read is empty, an owner is echoed and forgotten.
 * Links, symbolic links, renames and attributes of one's own are not implemented.
 */
public final class NullFileSystem implements FileSystem {
    private static final int ROOT = 2;
    private static final int S_IFDIR = 0x4000;
    private static final int S_IFREG = 0x8000;
    private static final int S_IFMT = 0xF000;
    private static final int BLOCK = 4096;
    private static final int NAME_MAX = 255;
    private static final long PLENTY = 1L << 30;
    private static final byte[] DOT = {'.'};
    private static final byte[] DOTDOT = {'.', '.'};

    private final Numbers numbers = new Numbers();
    private final ConcurrentMap<Integer, NullDirectory> directories = new ConcurrentHashMap<>();
    private final long born = System.currentTimeMillis() / 1000;

    /** A filesystem with an empty root. */
    public NullFileSystem() {
        directories.put(ROOT, new NullDirectory(ROOT, ROOT, numbers));
    }

    @Override
    public void lookup(int parent, byte[] name, Attributes out) {
        NullDirectory.Entry entry = directory(parent).find(name);
        if (entry == null) {
            throw ErrnoException.of(Errno.ENOENT);
        }
        fill(entry.ino, entry.directory, out);
    }

    @Override
    public void pin(int ino) {}

    @Override
    public void forget(int ino, long count) {}

    @Override
    public void getattr(int ino, Attributes out) {
        fill(ino, directories.containsKey(ino), out);
    }

    @Override
    public void setattr(Credentials who, int ino, AttributeChange change, Attributes out) {
        fill(ino, directories.containsKey(ino), out);
        if ((change.valid & AttributeChange.UID) != 0) {
            out.uid = change.uid;
        }
        if ((change.valid & AttributeChange.GID) != 0) {
            out.gid = change.gid;
        }
        if ((change.valid & AttributeChange.MODE) != 0) {
            out.mode = out.mode & S_IFMT | change.mode;
        }
    }

    @Override
    public void create(Credentials who, int parent, byte[] name, int mode, Attributes out) {
        fill(directory(parent).add(name, false).ino, false, out);
    }

    @Override
    public void mknod(Credentials who, int parent, byte[] name, int mode, int major, int minor, Attributes out) {
        if ((mode & S_IFMT) != S_IFREG) {
            throw unsupported();
        }
        create(who, parent, name, mode, out);
    }

    @Override
    public void mkdir(Credentials who, int parent, byte[] name, int mode, Attributes out) {
        int ino = directory(parent).add(name, true).ino;
        directories.put(ino, new NullDirectory(ino, parent, numbers));
        fill(ino, true, out);
    }

    @Override
    public void unlink(Credentials who, int parent, byte[] name) {
        directory(parent).remove(name, false);
    }

    @Override
    public void rmdir(Credentials who, int parent, byte[] name) {
        NullDirectory.Entry entry = directory(parent).find(name);
        NullDirectory gone = entry == null ? null : directories.get(entry.ino);
        if (gone != null && gone.size() > 0) {
            throw ErrnoException.of(Errno.ENOTEMPTY);
        }
        directories.remove(directory(parent).remove(name, true).ino);
    }

    @Override
    public void readdir(int ino, long cookie, DirSink sink) {
        list(
                ino,
                cookie,
                (next, number, isDirectory, name) ->
                        sink.entry(next, number, isDirectory ? S_IFDIR : S_IFREG, name, 0, name.length));
    }

    @Override
    public void readdirplus(int ino, long cookie, DirPlusSink sink) {
        Attributes attributes = new Attributes();
        list(ino, cookie, (next, number, isDirectory, name) -> {
            fill(number, isDirectory, attributes);
            return sink.entry(next, attributes, name, 0, name.length);
        });
    }

    @FunctionalInterface
    private interface Lister {
        boolean entry(long cookie, int ino, boolean isDirectory, byte[] name);
    }

    /** Cookies 1 and 2 stand behind the two names that every directory has. */
    private void list(int ino, long cookie, Lister lister) {
        NullDirectory directory = directory(ino);
        if (cookie < 1 && !lister.entry(1, ino, true, DOT)
                || cookie < 2 && !lister.entry(2, directory.parent, true, DOTDOT)) {
            return;
        }
        directory.list(
                Math.max(0, cookie - 2), (at, entry) -> lister.entry(at + 2, entry.ino, entry.directory, entry.name));
    }

    @Override
    public int read(int ino, long offset, ByteBuffer dst) {
        return 0;
    }

    @Override
    public int write(Credentials who, int ino, long offset, ByteBuffer src, int flags) {
        return src.remaining();
    }

    @Override
    public void fsync(int ino, boolean dataOnly) {}

    @Override
    public void syncfs() {}

    @Override
    public StatFs statfs() {
        long used = 1;
        for (NullDirectory directory : directories.values()) {
            used += directory.size();
        }
        return new StatFs(BLOCK, PLENTY, PLENTY, PLENTY, PLENTY, PLENTY - used, NAME_MAX);
    }

    @Override
    public byte[] getxattr(int ino, byte[] name) {
        throw ErrnoException.of(Errno.ENODATA);
    }

    @Override
    public List<byte[]> listxattr(int ino) {
        return List.of();
    }

    @Override
    public void setxattr(Credentials who, int ino, byte[] name, byte[] value, int flags) {
        throw unsupported();
    }

    @Override
    public void removexattr(Credentials who, int ino, byte[] name) {
        throw ErrnoException.of(Errno.ENODATA);
    }

    @Override
    public void symlink(Credentials who, int parent, byte[] name, byte[] target, Attributes out) {
        throw unsupported();
    }

    @Override
    public void tmpfile(Credentials who, int parent, int mode, Attributes out) {
        throw unsupported();
    }

    @Override
    public void link(Credentials who, int ino, int newParent, byte[] newName, Attributes out) {
        throw unsupported();
    }

    @Override
    public void rename(Credentials who, int parent, byte[] name, int newParent, byte[] newName, int flags) {
        throw unsupported();
    }

    @Override
    public byte[] readlink(int ino) {
        throw ErrnoException.of(Errno.EINVAL);
    }

    @Override
    public void fallocate(Credentials who, int ino, int mode, long offset, long length) {
        throw unsupported();
    }

    @Override
    public long seek(int ino, long offset, boolean hole) {
        throw unsupported();
    }

    private static ErrnoException unsupported() {
        return ErrnoException.of(Errno.EOPNOTSUPP);
    }

    private NullDirectory directory(int ino) {
        NullDirectory directory = directories.get(ino);
        if (directory == null) {
            throw ErrnoException.of(Errno.ENOTDIR);
        }
        return directory;
    }

    /** A holder may have been used for another inode: every field that is not constant is set. */
    private void fill(int ino, boolean isDirectory, Attributes out) {
        out.ino = ino;
        out.generation = 1;
        out.mode = isDirectory ? S_IFDIR | 0755 : S_IFREG | 0644;
        out.nlink = isDirectory ? 2 : 1;
        out.uid = 0;
        out.gid = 0;
        out.size = 0;
        out.sectors = 0;
        out.atime = born;
        out.mtime = born;
        out.ctime = born;
    }
}
