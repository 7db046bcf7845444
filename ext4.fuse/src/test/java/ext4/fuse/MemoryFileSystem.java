// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A small filesystem in memory, to drive the transport without a core. Renames take one lock. */
public final class MemoryFileSystem implements FileSystem {
    final Map<Integer, MemoryNode> nodes = new ConcurrentHashMap<>();
    volatile Runnable onFsync = () -> {};
    private final AtomicInteger lastIno = new AtomicInteger(11);

    public MemoryFileSystem() {
        MemoryNode root = new MemoryNode(2, 0x4000 | 0755);
        root.parent = root;
        nodes.put(2, root);
    }

    private static ErrnoException errno(Errno errno) {
        return ErrnoException.of(errno);
    }

    private MemoryNode node(int ino) {
        MemoryNode node = nodes.get(ino);
        if (node == null) {
            throw errno(Errno.ESTALE);
        }
        return node;
    }

    private static MemoryNode child(MemoryNode parent, String name) {
        MemoryNode.Entry entry = parent.names.get(name);
        if (entry == null) {
            throw errno(Errno.ENOENT);
        }
        return entry.node();
    }

    private static String text(byte[] name) {
        return new String(name, ISO_8859_1);
    }

    @Override
    public void lookup(int parent, byte[] name, Attributes out) {
        MemoryNode dir = node(parent);
        synchronized (dir) {
            named(child(dir, text(name)), out);
        }
    }

    private static void named(MemoryNode node, Attributes out) {
        synchronized (node) {
            node.pins++;
            node.fill(out);
        }
    }

    @Override
    public void pin(int ino) {
        named(node(ino), new Attributes());
    }

    @Override
    public void forget(int ino, long count) {
        MemoryNode node = node(ino);
        synchronized (node) {
            node.pins -= count;
            if (node.pins < 0) {
                throw new IllegalStateException("inode " + ino + " has " + node.pins + " pins");
            }
            freeIfUnusedLocked(node);
        }
    }

    private void freeIfUnusedLocked(MemoryNode node) {
        if (node.nlink == 0 && node.pins == 0) {
            nodes.remove(node.ino);
        }
    }

    @Override
    public void getattr(int ino, Attributes out) {
        MemoryNode node = node(ino);
        synchronized (node) {
            node.fill(out);
        }
    }

    @Override
    public void setattr(Credentials who, int ino, AttributeChange change, Attributes out) {
        MemoryNode node = node(ino);
        synchronized (node) {
            if ((change.valid & AttributeChange.MODE) != 0) {
                node.mode = node.mode & 0xF000 | change.mode;
            }
            if ((change.valid & AttributeChange.UID) != 0) {
                node.uid = change.uid;
            }
            if ((change.valid & AttributeChange.GID) != 0) {
                node.gid = change.gid;
            }
            if ((change.valid & AttributeChange.SIZE) != 0) {
                node.resize((int) change.size);
            }
            if ((change.valid & AttributeChange.MTIME) != 0) {
                node.mtime = change.mtime;
            }
            if ((change.valid & AttributeChange.ATIME) != 0) {
                node.atime = change.atime;
            }
            if ((change.valid & AttributeChange.KILL_PRIVILEGES) != 0 && (node.mode & 0xF000) == 0x8000) {
                node.mode &= ~0xC00;
            }
            node.fill(out);
        }
    }

    private void make(Credentials who, int parent, byte[] name, MemoryNode fresh, Attributes out) {
        MemoryNode dir = node(parent);
        fresh.uid = who.uid();
        fresh.gid = who.gid();
        fresh.parent = dir;
        synchronized (dir) {
            if (dir.nlink == 0) {
                throw errno(Errno.ENOENT);
            }
            if (dir.names.containsKey(text(name))) {
                throw errno(Errno.EEXIST);
            }
            nodes.put(fresh.ino, fresh);
            named(fresh, out);
            dir.put(text(name), fresh);
            dir.nlink += fresh.names != null ? 1 : 0;
        }
    }

    private MemoryNode fresh(int mode) {
        return new MemoryNode(lastIno.incrementAndGet(), mode);
    }

    @Override
    public void create(Credentials who, int parent, byte[] name, int mode, Attributes out) {
        make(who, parent, name, fresh(mode), out);
    }

    @Override
    public void mknod(Credentials who, int parent, byte[] name, int mode, int major, int minor, Attributes out) {
        MemoryNode fresh = fresh(mode);
        fresh.major = major;
        fresh.minor = minor;
        make(who, parent, name, fresh, out);
    }

    @Override
    public void mkdir(Credentials who, int parent, byte[] name, int mode, Attributes out) {
        make(who, parent, name, fresh(0x4000 | mode), out);
    }

    @Override
    public void symlink(Credentials who, int parent, byte[] name, byte[] target, Attributes out) {
        MemoryNode fresh = fresh(0xA000 | 0777);
        fresh.data = target;
        fresh.size = target.length;
        make(who, parent, name, fresh, out);
    }

    @Override
    public void tmpfile(Credentials who, int parent, int mode, Attributes out) {
        MemoryNode fresh = fresh(mode);
        fresh.nlink = 0;
        nodes.put(fresh.ino, fresh);
        named(fresh, out);
    }

    @Override
    public void link(Credentials who, int ino, int newParent, byte[] newName, Attributes out) {
        MemoryNode dir = node(newParent);
        MemoryNode node = node(ino);
        synchronized (dir) {
            if (dir.names.containsKey(text(newName))) {
                throw errno(Errno.EEXIST);
            }
            synchronized (node) {
                node.nlink++;
                named(node, out);
            }
            dir.put(text(newName), node);
        }
    }

    @Override
    public void unlink(Credentials who, int parent, byte[] name) {
        MemoryNode dir = node(parent);
        synchronized (dir) {
            child(dir, text(name));
            drop(dir.take(text(name)), 1);
        }
    }

    private void drop(MemoryNode node, int links) {
        synchronized (node) {
            node.nlink -= links;
            freeIfUnusedLocked(node);
        }
    }

    @Override
    public void rmdir(Credentials who, int parent, byte[] name) {
        MemoryNode dir = node(parent);
        synchronized (dir) {
            MemoryNode gone = child(dir, text(name));
            synchronized (gone) {
                if (!gone.names.isEmpty()) {
                    throw errno(Errno.ENOTEMPTY);
                }
                dir.take(text(name));
                dir.nlink--;
                drop(gone, 2);
            }
        }
    }

    @Override
    public synchronized void rename(
            Credentials who, int parent, byte[] name, int newParent, byte[] newName, int flags) {
        MemoryNode from = node(parent);
        MemoryNode to = node(newParent);
        synchronized (from.ino <= to.ino ? from : to) {
            synchronized (from.ino <= to.ino ? to : from) {
                MemoryNode moved = child(from, text(name));
                MemoryNode.Entry there = to.names.get(text(newName));
                if (there != null && (flags & RENAME_NOREPLACE) != 0) {
                    throw errno(Errno.EEXIST);
                }
                from.take(text(name));
                if (there != null) {
                    to.take(text(newName));
                    if ((flags & RENAME_EXCHANGE) != 0) {
                        from.put(text(name), there.node());
                    } else {
                        drop(there.node(), there.node().names != null ? 2 : 1);
                    }
                }
                to.put(text(newName), moved);
            }
        }
    }

    @Override
    public byte[] readlink(int ino) {
        return node(ino).data;
    }

    @Override
    public int read(int ino, long offset, ByteBuffer dst) {
        MemoryNode node = node(ino);
        synchronized (node) {
            int count = (int) Math.clamp(node.size - offset, 0, dst.remaining());
            if (count > 0) {
                dst.put(node.data, (int) offset, count);
            }
            return count;
        }
    }

    @Override
    public int write(Credentials who, int ino, long offset, ByteBuffer src, int flags) {
        MemoryNode node = node(ino);
        synchronized (node) {
            int at = (flags & WRITE_APPEND) != 0 ? node.size : (int) offset;
            int count = src.remaining();
            node.resize(Math.max(node.size, at + count));
            src.get(node.data, at, count);
            if ((flags & WRITE_KILL_PRIVILEGES) != 0) {
                node.mode &= ~0xC00;
            }
            return count;
        }
    }

    @Override
    public void readdir(int ino, long cookie, DirSink sink) {
        readdirplus(ino, cookie, (next, a, name, offset, length) -> {
            boolean taken = sink.entry(next, a.ino, a.mode, name, offset, length);
            if (taken && next > 2) {
                forget(a.ino, 1);
            }
            return taken;
        });
    }

    @Override
    public void readdirplus(int ino, long cookie, DirPlusSink sink) {
        MemoryNode dir = node(ino);
        Attributes a = new Attributes();
        synchronized (dir) {
            a.ino = dir.ino;
            a.mode = 0x4000;
            if (cookie < 1 && !sink.entry(1, a, new byte[] {'.'}, 0, 1)) {
                return;
            }
            a.ino = dir.parent.ino;
            if (cookie < 2 && !sink.entry(2, a, new byte[] {'.', '.'}, 0, 2)) {
                return;
            }
            for (MemoryNode.Entry entry : dir.order.tailMap(cookie, false).values()) {
                byte[] name = entry.name().getBytes(ISO_8859_1);
                synchronized (entry.node()) {
                    entry.node().fill(a);
                    if (!sink.entry(entry.cookie(), a, name, 0, name.length)) {
                        return;
                    }
                    entry.node().pins++;
                }
            }
        }
    }

    @Override
    public byte[] getxattr(int ino, byte[] name) {
        MemoryNode node = node(ino);
        synchronized (node) {
            byte[] value = node.xattrs.get(text(name));
            if (value == null) {
                throw errno(Errno.ENODATA);
            }
            return value;
        }
    }

    @Override
    public List<byte[]> listxattr(int ino) {
        MemoryNode node = node(ino);
        synchronized (node) {
            List<byte[]> names = new ArrayList<>();
            node.xattrs.keySet().forEach(name -> names.add(name.getBytes(ISO_8859_1)));
            return names;
        }
    }

    @Override
    public void setxattr(Credentials who, int ino, byte[] name, byte[] value, int flags) {
        MemoryNode node = node(ino);
        synchronized (node) {
            node.xattrs.put(text(name), value);
        }
    }

    @Override
    public void removexattr(Credentials who, int ino, byte[] name) {
        MemoryNode node = node(ino);
        synchronized (node) {
            if (node.xattrs.remove(text(name)) == null) {
                throw errno(Errno.ENODATA);
            }
        }
    }

    @Override
    public void fallocate(Credentials who, int ino, int mode, long offset, long length) {
        MemoryNode node = node(ino);
        synchronized (node) {
            int size = node.size;
            if ((mode & FALLOC_PUNCH_HOLE) != 0) {
                for (int i = (int) offset; i < Math.min(size, offset + length); i++) {
                    node.data[i] = 0;
                }
            } else if ((mode & FALLOC_KEEP_SIZE) == 0) {
                node.resize((int) Math.max(size, offset + length));
            }
        }
    }

    @Override
    public long seek(int ino, long offset, boolean hole) {
        MemoryNode node = node(ino);
        synchronized (node) {
            if (offset >= node.size) {
                throw errno(Errno.ENXIO);
            }
            return hole ? node.size : offset;
        }
    }

    @Override
    public void fsync(int ino, boolean dataOnly) {
        node(ino);
        onFsync.run();
    }

    @Override
    public void syncfs() {}

    @Override
    public StatFs statfs() {
        return new StatFs(4096, 1_000_000, 500_000, 400_000, 1_000_000, 1_000_000L - nodes.size(), 255);
    }
}
