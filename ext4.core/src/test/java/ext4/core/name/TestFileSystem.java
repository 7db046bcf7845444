// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.block.BlockDevice;
import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.MountOptions;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.core.alloc.BlockAllocator;
import ext4.core.alloc.GroupTable;
import ext4.core.alloc.InodeBitmaps;
import ext4.core.alloc.PendingRelease;
import ext4.core.alloc.SpaceRetry;
import ext4.core.extent.FileMap;
import ext4.core.file.Engine;
import ext4.core.file.Evict;
import ext4.core.inode.Evictor;
import ext4.core.inode.InodeAllocator;
import ext4.core.inode.InodeCache;
import ext4.core.inode.InodeStore;
import ext4.core.inode.Pins;
import ext4.core.volume.Volume;
import ext4.core.volume.WallClock;
import ext4.core.xattr.GetXattr;
import ext4.core.xattr.SetXattr;
import ext4.core.xattr.Xattrs;
import ext4.device.FileBlockDeviceProvider;
import ext4.format.FormatException;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import ext4.journal.NoLogProvider;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;

/**
 * The verbs on an image without a journal, assembled by hand: no mount state, and evictions run when they are awaited.
 */
final class TestFileSystem implements AutoCloseable, JournalHost {
    static final int ROOT = 2;

    private static final long CACHE = 16L << 20;

    final BlockDevice device;
    final Engine engine;
    final Namespace ns;
    final MemoryOrphans orphans = new MemoryOrphans();
    final Lookup lookup;
    final Create create;
    final Mknod mknod;
    final Mkdir mkdir;
    final Symlink symlink;
    final Readlink readlink;
    final Link link;
    final Unlink unlink;
    final Rmdir rmdir;
    final Rename rename;
    final Tmpfile tmpfile;
    final Readdir readdir;
    final GetXattr getXattr;
    final SetXattr setXattr;

    private final Volume volume;
    private final PendingRelease pending;
    private final GroupTable groups;
    private final Journal journal;
    private final Evict evict;
    // guarded by itself
    private final ArrayDeque<Integer> toEvict = new ArrayDeque<>();

    TestFileSystem(Path image) throws FormatException {
        device = new FileBlockDeviceProvider().open(image.toString(), false);
        ByteBuffer raw = ByteBuffer.allocate(Superblock.SIZE);
        device.read(Superblock.BYTE_OFFSET, raw);
        volume = new Volume(
                device, Superblock.parse(raw.array()), MountOptions.DEFAULTS, WallClock.SYSTEM, () -> 1, CACHE);
        groups = new GroupTable(volume);
        pending = new PendingRelease(groups);
        BlockAllocator blocks = new BlockAllocator(volume, groups, pending);
        Pins pins = new Pins();
        InodeStore records = new InodeStore(volume, groups);
        InodeCache inodes = new InodeCache(volume, records, pins, CACHE);
        InodeAllocator allocator =
                new InodeAllocator(volume, groups, new InodeBitmaps(volume, groups), records, inodes, pins);
        engine = new Engine(
                volume,
                groups,
                blocks,
                new SpaceRetry(volume, blocks, this::runEvictions),
                inodes,
                records,
                allocator,
                new FileMap(volume, groups, blocks, records),
                pins,
                evictor());
        Xattrs xattrs = new Xattrs(volume, records, blocks);
        evict = new Evict(engine, xattrs);
        ns = new Namespace(engine, xattrs);
        lookup = new Lookup(ns);
        create = new Create(ns);
        mknod = new Mknod(ns);
        mkdir = new Mkdir(ns);
        symlink = new Symlink(ns);
        readlink = new Readlink(ns);
        link = new Link(ns);
        unlink = new Unlink(ns);
        rmdir = new Rmdir(ns);
        rename = new Rename(ns);
        tmpfile = new Tmpfile(ns);
        readdir = new Readdir(ns);
        getXattr = new GetXattr(engine, xattrs);
        setXattr = new SetXattr(engine, xattrs);
        journal = new NoLogProvider().open(this, new JournalOptions(5000, true, CACHE));
        journal.orphans(orphans);
        volume.journal(journal);
        volume.readOnly(false);
    }

    private Evictor evictor() {
        return new Evictor() {
            @Override
            public void evict(int ino) {
                synchronized (toEvict) {
                    toEvict.add(ino);
                }
            }

            @Override
            public void evictNow(int ino) {
                evict.evict(ino, HandleKind.EVICT);
            }

            @Override
            public boolean await() {
                return runEvictions();
            }
        };
    }

    boolean runEvictions() {
        boolean any = false;
        while (true) {
            Integer ino;
            synchronized (toEvict) {
                ino = toEvict.poll();
            }
            if (ino == null) {
                return any;
            }
            evict.evict(ino, HandleKind.EVICT);
            any = true;
        }
    }

    /** Looks up, and gives the pin back. */
    Attributes stat(int parent, String name) {
        Attributes out = new Attributes();
        lookup.lookup(parent, bytes(name), out);
        engine.forget(out.ino, 1);
        return out;
    }

    int create(int parent, String name) {
        Attributes out = new Attributes();
        create.create(Credentials.ROOT, parent, bytes(name), 0644, out);
        engine.forget(out.ino, 1);
        return out.ino;
    }

    int mkdir(int parent, String name) {
        Attributes out = new Attributes();
        mkdir.mkdir(Credentials.ROOT, parent, bytes(name), 0755, out);
        engine.forget(out.ino, 1);
        return out.ino;
    }

    void unlink(int parent, String name) {
        unlink.unlink(Credentials.ROOT, parent, bytes(name));
    }

    void rename(int parent, String name, int newParent, String newName, int flags) {
        rename.rename(Credentials.ROOT, parent, bytes(name), newParent, bytes(newName), flags);
    }

    static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        runEvictions();
        try (Handle handle = volume.start(HandleKind.SUPER, 1, 0)) {
            volume.superblockBuffer().edit(handle, (b, off) -> {
                SuperblockFields.setFreeBlocks(b, off, groups.freeBlocks());
                SuperblockFields.setFreeInodes(b, off, groups.freeInodes());
            });
        }
        journal.close();
        device.flush();
        device.close();
    }

    @Override
    public BlockDevice device() {
        return device;
    }

    @Override
    public int blockSize() {
        return volume.blockSize();
    }

    @Override
    public long blocksCount() {
        return volume.superblock().blocksCount();
    }

    @Override
    public int logLength() {
        return 0;
    }

    @Override
    public long logBlock(int lblk) {
        throw new IllegalStateException("no log");
    }

    @Override
    public boolean wideBlockNumbers() {
        return false;
    }

    @Override
    public boolean metadataChecksums() {
        return false;
    }

    @Override
    public void closing(Handle handle) {
        groups.closing(handle);
    }

    @Override
    public void committed(long tid) {
        pending.committed(tid);
    }

    @Override
    public void aborted(Throwable cause) {
        throw new IllegalStateException(cause);
    }
}
