// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.FileSystem;
import ext4.api.fs.StatFs;
import ext4.sys.VolumeStatus;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The verbs of a filesystem in this process, called as the kernel calls one for these system calls. */
final class CoreCalls implements Calls {
    private static final int ROOT = 2;
    private static final int LONGEST_ATTRIBUTE = 255;

    private final FileSystem fs;
    private final Credentials who;
    private final int[] slots = new int[SLOTS];
    private final boolean[] append = new boolean[SLOTS];
    private final boolean[] linkable = new boolean[SLOTS];
    private final Above above;
    private final Attributes out = new Attributes();
    private final AttributeChange change = new AttributeChange();

    CoreCalls(FileSystem fs, int umask) {
        this.fs = fs;
        above = new Above(fs, ROOT, SLOTS);
        who = new Credentials(0, 0, umask);
    }

    /** Where a name stands: the directory pinned, and the last component. */
    private final class Place implements AutoCloseable {
        final int directory;
        final byte[] name;

        Place(String path) {
            int slash = path.lastIndexOf('/');
            name = Step.bytes(path.substring(slash + 1));
            directory = slash < 0 ? ROOT : walk(path.substring(0, slash));
        }

        private int walk(String directories) {
            int at = ROOT;
            for (String component : directories.split("/")) {
                int from = at;
                try {
                    fs.lookup(from, Step.bytes(component), out);
                } finally {
                    fs.forget(from, 1);
                }
                at = out.ino;
                if (!Status.of(out).isDirectory()) {
                    fs.forget(at, 1);
                    throw Refused.of(Errno.ENOTDIR);
                }
            }
            return at;
        }

        @Override
        public void close() {
            fs.forget(directory, 1);
        }
    }

    /** What a name stands for, pinned; {@link #out} tells its attributes. */
    private final class Node implements AutoCloseable {
        final int ino;
        final Status status;

        Node(String path) {
            if (path.isEmpty()) {
                fs.getattr(ROOT, out);
            } else {
                try (Place place = new Place(path)) {
                    fs.lookup(place.directory, place.name, out);
                }
            }
            ino = out.ino;
            status = Status.of(out);
        }

        @Override
        public void close() {
            fs.forget(ino, 1);
        }
    }

    private void forgetNew() {
        fs.forget(out.ino, 1);
    }

    @Override
    public void mkdir(String path, int mode) {
        try (Place place = new Place(path)) {
            fs.mkdir(who, place.directory, place.name, mode, out);
            forgetNew();
        }
    }

    @Override
    public void mknod(String path, int mode, int major, int minor) {
        try (Place place = new Place(path)) {
            fs.mknod(who, place.directory, place.name, mode, major, minor, out);
            forgetNew();
        }
    }

    @Override
    public void symlink(String path, String target) {
        try (Place place = new Place(path)) {
            fs.symlink(who, place.directory, place.name, Step.bytes(target), out);
            forgetNew();
        }
    }

    @Override
    public void link(String old, String path) {
        try (Place from = new Place(old);
                Place to = new Place(path)) {
            fs.lookup(from.directory, from.name, out);
            int ino = out.ino;
            try {
                fs.link(who, ino, to.directory, to.name, out);
                forgetNew();
            } finally {
                fs.forget(ino, 1);
            }
        }
    }

    @Override
    public void rename(String old, String path, int flags) {
        try (Place from = new Place(old);
                Place to = new Place(path)) {
            fs.rename(who, from.directory, from.name, to.directory, to.name, flags);
        }
    }

    @Override
    public void unlink(String path) {
        try (Place place = new Place(path)) {
            fs.unlink(who, place.directory, place.name);
        }
    }

    @Override
    public void rmdir(String path) {
        try (Place place = new Place(path)) {
            fs.rmdir(who, place.directory, place.name);
        }
    }

    private void put(int slot, int ino, boolean appends) {
        if (slots[slot] != 0) {
            fs.forget(slots[slot], 1);
        }
        above.letGo(slot);
        slots[slot] = ino;
        append[slot] = appends;
        linkable[slot] = false;
    }

    private int ino(int slot) {
        if (slots[slot] == 0) {
            throw Refused.of(Errno.EBADF);
        }
        return slots[slot];
    }

    @Override
    public void create(int slot, String path, int mode) {
        try (Place place = new Place(path)) {
            fs.create(who, place.directory, place.name, mode, out);
            put(slot, out.ino, false);
            above.keep(slot, Above.parent(path));
        }
    }

    @Override
    public void open(int slot, String path, int flags) {
        try (Node node = new Node(path)) {
            if (!node.status.isRegular()) {
                throw Refused.of(
                        node.status.isDirectory() ? Errno.EISDIR : node.status.isSymlink() ? Errno.ELOOP : Errno.ENXIO);
            }
            if ((flags & TRUNCATE) != 0) {
                change.valid = AttributeChange.SIZE | AttributeChange.MTIME_NOW;
                change.size = 0;
                fs.setattr(who, node.ino, change, out);
            }
            fs.pin(node.ino);
            put(slot, node.ino, (flags & APPEND) != 0);
            above.keep(slot, Above.parent(path));
        }
    }

    @Override
    public void tmpfile(int slot, String directory, int mode) {
        try (Node node = new Node(directory)) {
            fs.tmpfile(who, node.ino, mode, out);
            put(slot, out.ino, false);
            above.keep(slot, directory);
            linkable[slot] = true;
        }
    }

    @Override
    public void linkOpen(int slot, String path) {
        int ino = ino(slot);
        try (Place place = new Place(path)) {
            fs.getattr(ino, out);
            if (out.nlink == 0 && !linkable[slot]) {
                refuseToName(place);
            }
            fs.link(who, ino, place.directory, place.name, out);
            linkable[slot] = false;
            forgetNew();
        }
    }

    /** The operating system gives a name only to what O_TMPFILE made, and looks at the new name first. */
    private void refuseToName(Place place) {
        fs.lookup(place.directory, place.name, out);
        forgetNew();
        throw Refused.of(Errno.EEXIST);
    }

    @Override
    public void close(int slot) {
        ino(slot);
        put(slot, 0, false);
    }

    @Override
    public long write(int slot, long offset, byte[] data) {
        int flags = append[slot] ? FileSystem.WRITE_APPEND : 0;
        return fs.write(who, ino(slot), offset, ByteBuffer.wrap(data), flags);
    }

    @Override
    public byte[] read(int slot, long offset, int length) {
        byte[] bytes = new byte[length];
        int count = fs.read(ino(slot), offset, ByteBuffer.wrap(bytes));
        return Arrays.copyOf(bytes, count);
    }

    @Override
    public void truncate(String path, long size) {
        try (Node node = new Node(path)) {
            change.valid = AttributeChange.SIZE;
            change.size = size;
            fs.setattr(who, node.ino, change, out);
        }
    }

    @Override
    public void setSize(int slot, long size) {
        change.valid = AttributeChange.SIZE | AttributeChange.MTIME_NOW;
        change.size = size;
        fs.setattr(who, ino(slot), change, out);
    }

    @Override
    public void fallocate(int slot, int mode, long offset, long length) {
        fs.fallocate(who, ino(slot), mode, offset, length);
    }

    @Override
    public long seek(int slot, long offset, boolean hole) {
        return fs.seek(ino(slot), offset, hole);
    }

    @Override
    public void chmod(String path, int mode) {
        try (Node node = new Node(path)) {
            if (node.status.isSymlink()) {
                throw Refused.of(Errno.EOPNOTSUPP);
            }
            change.valid = AttributeChange.MODE;
            change.mode = mode;
            fs.setattr(who, node.ino, change, out);
        }
    }

    @Override
    public void chown(String path, int uid, int gid) {
        try (Node node = new Node(path)) {
            change.valid = AttributeChange.KILL_PRIVILEGES
                    | (uid < 0 ? 0 : AttributeChange.UID)
                    | (gid < 0 ? 0 : AttributeChange.GID);
            change.uid = uid;
            change.gid = gid;
            fs.setattr(who, node.ino, change, out);
        }
    }

    @Override
    public void utimens(String path, long atime, int atimeNanos, long mtime, int mtimeNanos) {
        new Place(path).close();
        if (atimeNanos == OMIT && mtimeNanos == OMIT) {
            return; // the system call does not even look for the file
        }
        try (Node node = new Node(path)) {
            change.valid = time(atimeNanos, AttributeChange.ATIME, AttributeChange.ATIME_NOW)
                    | time(mtimeNanos, AttributeChange.MTIME, AttributeChange.MTIME_NOW);
            change.atime = atime;
            change.atimeNanos = atimeNanos;
            change.mtime = mtime;
            change.mtimeNanos = mtimeNanos;
            fs.setattr(who, node.ino, change, out);
        }
    }

    private static int time(int nanos, int given, int now) {
        return nanos == NOW ? now : nanos == OMIT ? 0 : given;
    }

    /** The system call looks at the attribute's name before it looks for the file. */
    private void checkAttribute(String path, String name) {
        new Place(path).close();
        if (name.length() > LONGEST_ATTRIBUTE) {
            throw Refused.of(Errno.ERANGE);
        }
    }

    @Override
    public void setxattr(String path, String name, byte[] value, int flags) {
        checkAttribute(path, name);
        try (Node node = new Node(path)) {
            fs.setxattr(who, node.ino, Step.bytes(name), value, flags);
        }
    }

    @Override
    public byte[] getxattr(String path, String name) {
        checkAttribute(path, name);
        try (Node node = new Node(path)) {
            return fs.getxattr(node.ino, Step.bytes(name));
        }
    }

    @Override
    public List<String> listxattr(String path) {
        try (Node node = new Node(path)) {
            return fs.listxattr(node.ino).stream()
                    .map(name -> new String(name, StandardCharsets.ISO_8859_1))
                    .toList();
        }
    }

    @Override
    public void removexattr(String path, String name) {
        checkAttribute(path, name);
        try (Node node = new Node(path)) {
            fs.removexattr(who, node.ino, Step.bytes(name));
        }
    }

    @Override
    public String readlink(String path) {
        try (Node node = new Node(path)) {
            return new String(fs.readlink(node.ino), StandardCharsets.ISO_8859_1);
        }
    }

    @Override
    public List<String> list(String directory) {
        try (Node node = new Node(directory)) {
            if (!node.status.isDirectory()) {
                throw Refused.of(Errno.ENOTDIR);
            }
            List<String> names = new ArrayList<>();
            fs.readdir(node.ino, 0, (cookie, ino, mode, name, offset, length) -> {
                String text = new String(name, offset, length, StandardCharsets.ISO_8859_1);
                if (!text.equals(".") && !text.equals("..")) {
                    names.add(text);
                }
                return true;
            });
            return names;
        }
    }

    @Override
    public Status stat(String path) {
        try (Node node = new Node(path)) {
            return node.status;
        }
    }

    @Override
    public Status stat(int slot) {
        fs.getattr(ino(slot), out);
        return Status.of(out);
    }

    @Override
    public boolean isOpen(int slot) {
        return slots[slot] != 0;
    }

    @Override
    public VolumeStatus statfs() {
        StatFs s = fs.statfs();
        return new VolumeStatus(s.blockSize(), s.blocks(), s.free(), s.available(), s.files(), s.filesFree());
    }

    @Override
    public void fsync(int slot) {
        fs.fsync(ino(slot), false);
    }

    @Override
    public void sync() {
        fs.syncfs();
    }

    /** The kernel reads and writes where a filesystem has no copy of its own. */
    @Override
    public long copy(int from, long fromOffset, int to, long toOffset, long length) {
        int source = ino(from);
        int target = ino(to);
        if (append[to]) {
            throw Refused.of(Errno.EBADF);
        }
        fs.getattr(source, out);
        long count = Copies.count(
                source == target,
                out.size,
                fromOffset,
                toOffset,
                length,
                fs.statfs().blockSize());
        if (count == 0) {
            return 0;
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) count);
        fs.read(source, fromOffset, bytes);
        bytes.flip();
        long copied = fs.write(who, target, toOffset, bytes, 0);
        fs.read(source, fromOffset, ByteBuffer.allocate(1)); // splice(2) notes the access once more, at its end
        return copied;
    }

    @Override
    public void share(int from, int to) {
        ino(from);
        ino(to);
        if (append[to]) {
            throw Refused.of(Errno.EBADF);
        }
        throw Refused.of(Errno.EOPNOTSUPP); // no verb of a filesystem
    }

    @Override
    public long flags(String path) {
        try (Node node = new Node(path)) {
            fs.getattr(node.ino, out);
            return Integer.toUnsignedLong(out.flags);
        }
    }

    @Override
    public void settle(int slot) {
        ino(slot);
    }

    @Override
    public void closeSlots() {
        for (int slot = 0; slot < SLOTS; slot++) {
            put(slot, 0, false);
        }
    }

    @Override
    public void close() {
        closeSlots();
    }
}
