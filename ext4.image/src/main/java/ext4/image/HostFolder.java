// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.Errno;
import ext4.device.FileBlockDeviceProvider;
import ext4.sys.DirectoryEntries;
import ext4.sys.FileStatus;
import ext4.sys.TreeCalls;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayDeque;
import java.util.Deque;

/** An open directory of the host. */
final class HostFolder extends Folder {
    /** How {@link #link} finds an entry again: the names from the first folder of the chain on. */
    private record Reference(Folder folder, Deque<byte[]> names) {}

    private static final byte[] UP = {'.', '.'};
    private static final int PRIVATE_FILE = 0600;
    private static final int PRIVATE_DIRECTORY = 0700;
    private static final int PARKED = -1;

    private final Host host;
    private final DirectoryEntries entries = new DirectoryEntries();
    private int fd;
    private FileStatus whileParked;

    private HostFolder(Host host, int fd, Folder parent, byte[] label) {
        super(parent, label);
        this.host = host;
        this.fd = fd;
    }

    /** The directory that a path leads to. */
    static HostFolder open(Host host, byte[] path) throws IOException {
        return open(host, path, path);
    }

    /** The same, called {@code label} in messages. */
    static HostFolder open(Host host, byte[] path, byte[] label) throws IOException {
        int fd = host.calls.open(TreeCalls.AT_FDCWD, path, TreeCalls.O_DIRECTORY, 0);
        if (fd == -Errno.EACCES.number()) {
            // what is in it can be named all the same
            fd = host.calls.open(TreeCalls.AT_FDCWD, path, TreeCalls.O_DIRECTORY | TreeCalls.O_PATH, 0);
        }
        if (fd < 0) {
            throw Errors.ofHost(-fd, ByteNames.decode(path));
        }
        return new HostFolder(host, fd, null, label);
    }

    int fd() {
        return fd;
    }

    @Override
    byte[] next() throws IOException {
        while (true) {
            byte[] name = entries.next();
            if (name != null) {
                return name;
            }
            if (Host.check(host.calls.entries(fd, entries), this, null) == 0) {
                return null;
            }
        }
    }

    @Override
    Node self() throws IOException {
        FileStatus status = host.calls.stat(fd);
        if (status == null) {
            throw Errors.ofHost(host.calls.errno(), path(null));
        }
        return Node.of(status);
    }

    @Override
    Grip grip() {
        return new HostGrip(host, this, null, fd);
    }

    @Override
    Node stat(byte[] name) throws IOException {
        FileStatus status = host.calls.stat(fd, name);
        if (status == null) {
            if (host.calls.errno() == Errno.ENOENT.number()) {
                return null;
            }
            throw Errors.ofHost(host.calls.errno(), path(name));
        }
        return Node.of(status);
    }

    @Override
    Grip grip(byte[] name) {
        return new HostGrip(host, this, name);
    }

    @Override
    Folder enter(byte[] name) throws IOException {
        int flags = TreeCalls.O_DIRECTORY | TreeCalls.O_NOFOLLOW;
        return new HostFolder(host, check(host.calls.open(fd, name, flags, 0), name), this, name);
    }

    /** An image that this process has open is left alone: closing a second descriptor of it would drop its lock. */
    private void refuseImage(byte[] name) throws IOException {
        Node node = stat(name);
        if (node != null && FileBlockDeviceProvider.isOpen(node.dev(), node.ino())) {
            throw new FileSystemException(path(name), null, "is the image in use");
        }
    }

    @Override
    Content read(byte[] name) throws IOException {
        refuseImage(name);
        int flags = TreeCalls.O_NOFOLLOW | TreeCalls.O_NONBLOCK;
        int file = check(host.calls.open(fd, name, flags, 0), name);
        FileStatus status = host.calls.stat(file);
        if (status == null || FileType.of(status.mode()) != FileType.REGULAR) {
            host.calls.close(file);
            throw new FileSystemException(path(name), null, "is no longer a regular file");
        }
        return new HostContent(host, this, name, file);
    }

    @Override
    byte[] readlink(byte[] name) throws IOException {
        byte[] target = host.calls.readlink(fd, name);
        if (target == null) {
            throw Errors.ofHost(host.calls.errno(), path(name));
        }
        return target;
    }

    @Override
    void mkdir(byte[] name) throws IOException {
        check(host.calls.mkdir(fd, name, PRIVATE_DIRECTORY), name);
    }

    @Override
    Content create(byte[] name) throws IOException {
        int flags = TreeCalls.O_RDWR | TreeCalls.O_CREAT | TreeCalls.O_EXCL | TreeCalls.O_NOFOLLOW;
        return new HostContent(host, this, name, check(host.calls.open(fd, name, flags, PRIVATE_FILE), name));
    }

    @Override
    void symlink(byte[] name, byte[] target) throws IOException {
        for (byte b : target) {
            if (b == 0) {
                throw new FileSystemException(path(name), null, "the link's target has a NUL in it");
            }
        }
        check(host.calls.symlink(target, fd, name), name);
    }

    @Override
    void mknod(byte[] name, Node like) throws IOException {
        int mode = like.type().bits() | PRIVATE_FILE;
        check(host.calls.mknod(fd, name, mode, like.rdevMajor(), like.rdevMinor()), name);
    }

    @Override
    Object reference(byte[] name) {
        Deque<byte[]> names = new ArrayDeque<>();
        names.push(name);
        Folder at = this;
        while (at.parent != null) {
            names.push(at.label());
            at = at.parent;
        }
        return new Reference(at, names);
    }

    /** Goes down name by name, so depth is no obstacle, and through no symbolic link. */
    @Override
    void link(Object reference, byte[] name) throws IOException {
        Reference to = (Reference) reference;
        Deque<byte[]> names = new ArrayDeque<>(to.names);
        byte[] last = names.removeLast();
        int top = ((HostFolder) to.folder).fd;
        int at = top;
        try {
            for (byte[] next : names) {
                int flags = TreeCalls.O_PATH | TreeCalls.O_DIRECTORY | TreeCalls.O_NOFOLLOW;
                int down = check(host.calls.open(at, next, flags, 0), name);
                if (at != top) {
                    host.calls.close(at);
                }
                at = down;
            }
            check(host.calls.link(at, last, fd, name), name);
        } finally {
            if (at != top) {
                host.calls.close(at);
            }
        }
    }

    @Override
    void remove(byte[] name) throws IOException {
        refuseImage(name);
        check(host.calls.unlink(fd, name, 0), name);
    }

    @Override
    void park() {
        if (parent != null && fd != PARKED) {
            whileParked = host.calls.stat(fd);
            host.calls.close(fd);
            fd = PARKED;
        }
    }

    @Override
    void unpark(Folder child) throws IOException {
        if (fd != PARKED) {
            return;
        }
        int up = check(
                host.calls.open(((HostFolder) child).fd, UP, TreeCalls.O_DIRECTORY | TreeCalls.O_NOFOLLOW, 0), null);
        FileStatus now = host.calls.stat(up);
        fd = up;
        if (whileParked == null || now == null || now.ino() != whileParked.ino() || now.dev() != whileParked.dev()) {
            throw new FileSystemException(path(null), null, "was moved during the copy");
        }
        entries.clear();
        check((int) Math.min(host.calls.seek(fd, entries.position()), 0), null);
    }

    private int check(int result, byte[] name) throws IOException {
        return Host.check(result, this, name);
    }

    @Override
    public void close() {
        if (fd != PARKED) {
            host.calls.close(fd);
            fd = PARKED;
        }
    }
}
