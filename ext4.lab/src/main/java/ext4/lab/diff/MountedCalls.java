// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.api.fs.Errno;
import ext4.sys.DirectoryEntries;
import ext4.sys.FileRanges;
import ext4.sys.TreeCalls;
import ext4.sys.VolumeStatus;
import ext4.sys.XattrCalls;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** System calls on a mount point: of the kernel's ext4, or of this project's through FUSE. */
final class MountedCalls implements Calls {
    private static final int DIRECTORY = TreeCalls.O_PATH | TreeCalls.O_DIRECTORY | TreeCalls.O_NOFOLLOW;
    private static final int READ_DIRECTORY = TreeCalls.O_DIRECTORY | TreeCalls.O_NOFOLLOW;
    private static final int BUFFER = 1 << 20;

    private final TreeCalls calls = new TreeCalls();
    private final XattrCalls xattrs = new XattrCalls(calls);
    private final FileRanges ranges = new FileRanges(calls);
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private final DirectoryEntries entries = new DirectoryEntries();
    private final int[] slots = new int[SLOTS];
    private final boolean hasFlags;
    private final int root;

    /**
     * Works below a mount point.
     *
     * @param hasFlags whether the filesystem answers FS_IOC_GETFLAGS
     */
    MountedCalls(Path mountpoint, boolean hasFlags) {
        this.hasFlags = hasFlags;
        Arrays.fill(slots, -1);
        root = (int)
                Refused.unless(calls.open(TreeCalls.AT_FDCWD, Step.bytes(mountpoint.toString()), READ_DIRECTORY, 0));
    }

    /** Where a name stands: the directory opened, and the last component. */
    private final class Place implements AutoCloseable {
        final int directory;
        final byte[] name;

        Place(String path) {
            int slash = path.lastIndexOf('/');
            name = Step.bytes(slash < 0 ? path.isEmpty() ? "." : path : path.substring(slash + 1));
            directory = slash < 0 ? root : walk(path.substring(0, slash));
        }

        private int walk(String directories) {
            int at = root;
            for (String component : directories.split("/")) {
                int next = calls.open(at, Step.bytes(component), DIRECTORY, 0);
                if (at != root) {
                    calls.close(at);
                }
                at = (int) Refused.unless(next);
            }
            return at;
        }

        /** A path that leads there, for the calls that know no directory descriptors. */
        byte[] absolute() {
            byte[] head = ("/proc/self/fd/" + directory + "/").getBytes(StandardCharsets.US_ASCII);
            byte[] path = Arrays.copyOf(head, head.length + name.length);
            System.arraycopy(name, 0, path, head.length, name.length);
            return path;
        }

        @Override
        public void close() {
            if (directory != root) {
                calls.close(directory);
            }
        }
    }

    @Override
    public void mkdir(String path, int mode) {
        try (Place place = new Place(path)) {
            Refused.unless(calls.mkdir(place.directory, place.name, mode));
        }
    }

    @Override
    public void mknod(String path, int mode, int major, int minor) {
        try (Place place = new Place(path)) {
            Refused.unless(calls.mknod(place.directory, place.name, mode, major, minor));
        }
    }

    @Override
    public void symlink(String path, String target) {
        try (Place place = new Place(path)) {
            Refused.unless(calls.symlink(Step.bytes(target), place.directory, place.name));
        }
    }

    @Override
    public void link(String old, String path) {
        try (Place from = new Place(old);
                Place to = new Place(path)) {
            Refused.unless(calls.link(from.directory, from.name, to.directory, to.name));
        }
    }

    @Override
    public void rename(String old, String path, int flags) {
        try (Place from = new Place(old);
                Place to = new Place(path)) {
            Refused.unless(calls.rename(from.directory, from.name, to.directory, to.name, flags));
        }
    }

    @Override
    public void unlink(String path) {
        try (Place place = new Place(path)) {
            Refused.unless(calls.unlink(place.directory, place.name, 0));
        }
    }

    @Override
    public void rmdir(String path) {
        try (Place place = new Place(path)) {
            Refused.unless(calls.unlink(place.directory, place.name, TreeCalls.AT_REMOVEDIR));
        }
    }

    private void put(int slot, int fd) {
        if (slots[slot] >= 0) {
            calls.close(slots[slot]);
        }
        slots[slot] = fd;
    }

    private int fd(int slot) {
        if (slots[slot] < 0) {
            throw Refused.of(Errno.EBADF);
        }
        return slots[slot];
    }

    @Override
    public void create(int slot, String path, int mode) {
        try (Place place = new Place(path)) {
            int flags = TreeCalls.O_RDWR | TreeCalls.O_CREAT | TreeCalls.O_EXCL | TreeCalls.O_NOFOLLOW;
            put(slot, (int) Refused.unless(calls.open(place.directory, place.name, flags, mode)));
        }
    }

    @Override
    public void open(int slot, String path, int flags) {
        try (Place place = new Place(path)) {
            Status status = stat(place);
            if (!status.isRegular()) {
                throw Refused.of(status.isDirectory() ? Errno.EISDIR : status.isSymlink() ? Errno.ELOOP : Errno.ENXIO);
            }
            int all = TreeCalls.O_RDWR
                    | TreeCalls.O_NOFOLLOW
                    | ((flags & APPEND) != 0 ? TreeCalls.O_APPEND : 0)
                    | ((flags & TRUNCATE) != 0 ? TreeCalls.O_TRUNC : 0);
            put(slot, (int) Refused.unless(calls.open(place.directory, place.name, all, 0)));
        }
    }

    @Override
    public void tmpfile(int slot, String directory, int mode) {
        try (Place place = new Place(directory)) {
            int flags = TreeCalls.O_RDWR | TreeCalls.O_TMPFILE | TreeCalls.O_NOFOLLOW;
            put(slot, (int) Refused.unless(calls.open(place.directory, place.name, flags, mode)));
        }
    }

    @Override
    public void linkOpen(int slot, String path) {
        int fd = fd(slot);
        try (Place place = new Place(path)) {
            Refused.unless(calls.link(fd, place.directory, place.name));
        }
    }

    @Override
    public void close(int slot) {
        int fd = fd(slot);
        slots[slot] = -1;
        Refused.unless(calls.close(fd));
    }

    /** pread(2) and pwrite(2) know no negative offset, {@link TreeCalls} takes one as none. */
    private int positioned(int slot, long offset) {
        int fd = fd(slot);
        if (offset < 0) {
            throw Refused.of(Errno.EINVAL);
        }
        return fd;
    }

    @Override
    public long write(int slot, long offset, byte[] data) {
        int fd = positioned(slot, offset);
        buffer.clear();
        buffer.put(data).flip();
        return Refused.unless(calls.write(fd, buffer, offset));
    }

    @Override
    public byte[] read(int slot, long offset, int length) {
        int fd = positioned(slot, offset);
        buffer.clear().limit(length);
        int count = (int) Refused.unless(calls.read(fd, buffer, offset));
        byte[] bytes = new byte[count];
        buffer.flip();
        buffer.get(bytes);
        return bytes;
    }

    @Override
    public void truncate(String path, long size) {
        try (Place place = new Place(path)) {
            Status status = stat(place);
            if (!status.isRegular()) {
                throw Refused.of(status.isDirectory() ? Errno.EISDIR : Errno.EINVAL);
            }
            Refused.unless(calls.truncate(place.absolute(), size));
        }
    }

    @Override
    public void setSize(int slot, long size) {
        Refused.unless(calls.setSize(fd(slot), size));
    }

    @Override
    public void fallocate(int slot, int mode, long offset, long length) {
        Refused.unless(calls.allocate(fd(slot), mode, offset, length));
    }

    @Override
    public long seek(int slot, long offset, boolean hole) {
        int fd = fd(slot);
        return Refused.unless(hole ? calls.seekHole(fd, offset) : calls.seekData(fd, offset));
    }

    @Override
    public void chmod(String path, int mode) {
        try (Place place = new Place(path)) {
            if (stat(place).isSymlink()) {
                throw Refused.of(Errno.EOPNOTSUPP);
            }
            Refused.unless(calls.chmod(place.absolute(), mode));
        }
    }

    @Override
    public void chown(String path, int uid, int gid) {
        try (Place place = new Place(path)) {
            Refused.unless(calls.chown(place.directory, place.name, uid, gid));
        }
    }

    @Override
    public void utimens(String path, long atime, int atimeNanos, long mtime, int mtimeNanos) {
        try (Place place = new Place(path)) {
            Refused.unless(calls.setTimes(place.directory, place.name, atime, atimeNanos, mtime, mtimeNanos));
        }
    }

    @Override
    public void setxattr(String path, String name, byte[] value, int flags) {
        try (Place place = new Place(path)) {
            Refused.unless(xattrs.set(place.absolute(), Step.bytes(name), value, flags));
        }
    }

    @Override
    public byte[] getxattr(String path, String name) {
        try (Place place = new Place(path)) {
            return some(xattrs.get(place.absolute(), Step.bytes(name)));
        }
    }

    @Override
    public List<String> listxattr(String path) {
        try (Place place = new Place(path)) {
            return some(xattrs.list(place.absolute())).stream()
                    .map(name -> new String(name, StandardCharsets.ISO_8859_1))
                    .toList();
        }
    }

    private <T> T some(T found) {
        if (found == null) {
            throw new Refused(calls.errno());
        }
        return found;
    }

    @Override
    public void removexattr(String path, String name) {
        try (Place place = new Place(path)) {
            Refused.unless(xattrs.remove(place.absolute(), Step.bytes(name)));
        }
    }

    @Override
    public String readlink(String path) {
        try (Place place = new Place(path)) {
            return new String(some(calls.readlink(place.directory, place.name)), StandardCharsets.ISO_8859_1);
        }
    }

    @Override
    public List<String> list(String directory) {
        try (Place place = new Place(directory)) {
            int fd = (int) Refused.unless(calls.open(place.directory, place.name, READ_DIRECTORY, 0));
            try {
                List<String> names = new ArrayList<>();
                while (Refused.unless(calls.entries(fd, entries)) > 0) {
                    for (byte[] name = entries.next(); name != null; name = entries.next()) {
                        names.add(new String(name, StandardCharsets.ISO_8859_1));
                    }
                }
                return names;
            } finally {
                calls.close(fd);
            }
        }
    }

    private Status stat(Place place) {
        return Status.of(some(calls.stat(place.directory, place.name)));
    }

    @Override
    public Status stat(String path) {
        try (Place place = new Place(path)) {
            return stat(place);
        }
    }

    @Override
    public Status stat(int slot) {
        return Status.of(some(calls.stat(fd(slot))));
    }

    @Override
    public boolean isOpen(int slot) {
        return slots[slot] >= 0;
    }

    @Override
    public VolumeStatus statfs() {
        return some(VolumeStatus.of(calls, root));
    }

    @Override
    public void fsync(int slot) {
        Refused.unless(calls.sync(fd(slot)));
    }

    @Override
    public void sync() {
        Refused.unless(VolumeStatus.sync(calls, root));
    }

    @Override
    public long copy(int from, long fromOffset, int to, long toOffset, long length) {
        return Refused.unless(ranges.copy(fd(from), fromOffset, fd(to), toOffset, length));
    }

    @Override
    public void share(int from, int to) {
        Refused.unless(ranges.share(fd(from), fd(to)));
    }

    @Override
    public long flags(String path) {
        if (!hasFlags) {
            return -1;
        }
        return opened(path, ranges::flags);
    }

    /** How a file is mapped, as FIEMAP tells. */
    List<FileRanges.Extent> extents(String path) {
        try (Place place = new Place(path)) {
            int fd = (int) Refused.unless(calls.open(place.directory, place.name, TreeCalls.O_NOFOLLOW, 0));
            try {
                return some(ranges.map(fd));
            } finally {
                calls.close(fd);
            }
        }
    }

    private long opened(String path, java.util.function.IntToLongFunction call) {
        try (Place place = new Place(path)) {
            int fd = (int) Refused.unless(calls.open(place.directory, place.name, TreeCalls.O_NOFOLLOW, 0));
            try {
                return Refused.unless(call.applyAsLong(fd));
            } finally {
                calls.close(fd);
            }
        }
    }

    @Override
    public void settle(int slot) {
        int fd = fd(slot);
        Refused.unless(calls.sync(fd));
        Refused.unless(ranges.forget(fd));
    }

    @Override
    public void closeSlots() {
        for (int slot = 0; slot < SLOTS; slot++) {
            put(slot, -1);
        }
    }

    @Override
    public void close() {
        closeSlots();
        calls.close(root);
        ranges.close();
        xattrs.close();
        calls.close();
    }
}
