// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.block.BlockDevice;
import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.StatFs;
import ext4.device.MemoryBlockDevice;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Spliterators;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * An ext4 image, used by path. The rules of paths, names, threads and errors are those of this package's description.
 * Closing it leaves a clean image. A writable image is this process's alone while it is open.
 *
 * <p>Where a method takes {@link LinkOption}, {@code NOFOLLOW_LINKS} means a symbolic link itself and not what it leads
 * to. Everything that changes the image throws {@link java.nio.file.ReadOnlyFileSystemException} if it was opened
 * read-only, and {@link NoSpaceException} when it is full.
 */
public final class Ext4Image implements AutoCloseable {
    private static final int DIRECTORY_MODE = 0755;

    private final BlockDevice device;
    private final Session session;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Ext4Image(BlockDevice device, CoreFileSystem fs, ImageOptions options) {
        this.device = device;
        this.session = new Session(fs, options);
    }

    /** Opens an image file or block device for reading; it is not written. */
    public static Ext4Image open(Path image) throws IOException {
        return open(image, ImageOptions.READ_ONLY);
    }

    /**
     * Opens an image file or block device.
     *
     * @throws IOException if it is missing, not ext4, damaged, unsupported, or in use: mounted, or open for writing
     *     elsewhere
     */
    public static Ext4Image open(Path image, ImageOptions options) throws IOException {
        return open(Opening.device(image, !options.writable()), options);
    }

    /** Opens what is on a device, which is closed with the image, and if this fails. */
    public static Ext4Image open(BlockDevice device, ImageOptions options) throws IOException {
        return new Ext4Image(device, Opening.mount(device, options), options);
    }

    /**
     * Makes a new image file of {@code size} bytes and opens it for changes.
     *
     * @throws java.nio.file.FileAlreadyExistsException if there is something of that name
     */
    public static Ext4Image create(Path image, long size, FormatOptions options) throws IOException {
        Opening.createFile(image, size, options);
        return open(image, ImageOptions.READ_WRITE);
    }

    /** Makes an image of {@code size} bytes in memory, where only what is written takes room, and opens it. */
    public static Ext4Image inMemory(long size, FormatOptions options) throws IOException {
        BlockDevice device = new MemoryBlockDevice("image in memory", size);
        Opening.format(device, options, true);
        return open(device, ImageOptions.READ_WRITE);
    }

    /** Makes a filesystem on the device, whatever was there before; the device stays open. */
    public static void format(BlockDevice device, FormatOptions options) throws IOException {
        Opening.format(device, options, false);
    }

    /** Whether anything has that name; a symbolic link to nowhere has not. */
    public boolean exists(String path, LinkOption... options) throws IOException {
        return session.call(path, () -> {
            try (Place place = Place.find(session.fs, ByteNames.encode(path), follows(options))) {
                return place.exists();
            } catch (ErrnoException e) {
                if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR) {
                    return false;
                }
                throw e;
            }
        });
    }

    /** The attributes of a file. */
    public ImageAttributes stat(String path, LinkOption... options) throws IOException {
        return session.call(path, () -> {
            try (Place place = existing(path, options)) {
                return new ImageAttributes(place.attributes);
            }
        });
    }

    /** What is in a directory, "." and ".." left out, in the directory's order. */
    public List<ImageEntry> list(String path) throws IOException {
        int ino = session.call(path, () -> {
            try (Place place = existing(path)) {
                if (!place.isDirectory()) {
                    throw ErrnoException.of(Errno.ENOTDIR);
                }
                return place.keep();
            }
        });
        try {
            List<ImageEntry> found = new ArrayList<>();
            DirectoryCursor cursor = new DirectoryCursor(session, ino, () -> path);
            for (var item = cursor.next(); item != null; item = cursor.next()) {
                String name = ByteNames.decode(item.name());
                found.add(new ImageEntry(TreeWalk.join(path, name), new ImageAttributes(item.attributes())));
            }
            return found;
        } finally {
            session.forget(ino);
        }
    }

    /**
     * A file or a whole tree: what {@code path} leads to, then all that is below, each directory before what is in it;
     * links are not followed. Lazy, in constant memory for a directory of any size; close the stream. What fails on the
     * way is an {@link java.io.UncheckedIOException}.
     */
    public Stream<ImageEntry> walk(String path) throws IOException {
        TreeWalk walk = new TreeWalk(session, path);
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(walk, 0), false)
                .onClose(walk::close);
    }

    /**
     * Opens the content of a regular file. The options are those of {@link java.nio.file.Files#newByteChannel}, for
     * reading if there are none; {@code SPARSE} is always meant, {@code DELETE_ON_CLOSE} is not supported.
     */
    public ImageChannel open(String path, OpenOption... options) throws IOException {
        return new FileOpening(session, path, options).open();
    }

    /** Reads a file. */
    public InputStream newInputStream(String path) throws IOException {
        return Channels.newInputStream(open(path, StandardOpenOption.READ));
    }

    /** Writes a file: CREATE and TRUNCATE_EXISTING if there are no options. */
    public OutputStream newOutputStream(String path, OpenOption... options) throws IOException {
        return Channels.newOutputStream(open(path, FileOpening.toWrite(options)));
    }

    /** All bytes of a file; as {@link java.nio.file.Files#readAllBytes} not for those that don't fit the heap. */
    public byte[] read(String path) throws IOException {
        try (InputStream in = newInputStream(path)) {
            return in.readAllBytes();
        }
    }

    /** All of a file as UTF-8 text. */
    public String readString(String path) throws IOException {
        return new String(read(path), StandardCharsets.UTF_8);
    }

    /** Writes these bytes: CREATE and TRUNCATE_EXISTING if there are no options. */
    public void write(String path, byte[] bytes, OpenOption... options) throws IOException {
        try (OutputStream out = newOutputStream(path, options)) {
            out.write(bytes);
        }
    }

    /** Writes a text as UTF-8, with options as {@link #write}. */
    public void writeString(String path, String text, OpenOption... options) throws IOException {
        write(path, text.getBytes(StandardCharsets.UTF_8), options);
    }

    /** Sets the size of a file: cuts it, or adds a hole. */
    public void truncate(String path, long size) throws IOException {
        session.change(path, () -> {
            try (Place place = existing(path)) {
                Changes.setSize(session, place.ino, size);
            }
        });
    }

    /** Makes an empty regular file with permission bits {@code mode}; what has the name already is an error. */
    public void create(String path, int mode) throws IOException {
        make(path, (parent, name, out) -> session.fs.create(session.who, parent, name, mode, out));
    }

    /** Makes a directory, mode 0755. */
    public void mkdir(String path) throws IOException {
        mkdir(path, DIRECTORY_MODE);
    }

    /** Makes a directory with these permission bits. */
    public void mkdir(String path, int mode) throws IOException {
        make(path, (parent, name, out) -> session.fs.mkdir(session.who, parent, name, mode, out));
    }

    /** Makes a directory and those above it, where they are missing. */
    public void mkdirs(String path) throws IOException {
        for (int at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
            mkdirIfMissing(path.substring(0, at));
        }
        mkdirIfMissing(path);
    }

    private void mkdirIfMissing(String path) throws IOException {
        if (!exists(path) || !stat(path).isDirectory()) {
            mkdir(path);
        }
    }

    /** Makes a symbolic link with this target, which is stored as it is. */
    public void symlink(String path, String target) throws IOException {
        byte[] bytes = ByteNames.encode(target);
        make(path, (parent, name, out) -> session.fs.symlink(session.who, parent, name, bytes, out));
    }

    /** Makes a fifo, a socket or a device node. */
    public void mknod(String path, FileType type, int permissions, int major, int minor) throws IOException {
        int mode = type.bits() | permissions;
        make(path, (parent, name, out) -> session.fs.mknod(session.who, parent, name, mode, major, minor, out));
    }

    /** The target of a symbolic link. */
    public String readlink(String path) throws IOException {
        return session.call(path, () -> {
            try (Place place = existing(path, LinkOption.NOFOLLOW_LINKS)) {
                if (!place.isSymlink()) {
                    throw new java.nio.file.NotLinkException(path);
                }
                return ByteNames.decode(session.fs.readlink(place.ino));
            }
        });
    }

    /** Gives a file (not a directory; a symbolic link itself) another name. */
    public void link(String existing, String name) throws IOException {
        session.change(existing, name, () -> {
            try (Place from = existing(existing, LinkOption.NOFOLLOW_LINKS);
                    Place to = Place.find(session.fs, ByteNames.encode(name), false)) {
                session.fs.link(session.who, from.ino, to.directory(), to.requireName(Errno.EEXIST), new Attributes());
                session.fs.forget(from.ino, 1);
            }
        });
    }

    /** Removes a name: a file's, a symbolic link's, or that of an empty directory. */
    public void remove(String path) throws IOException {
        session.change(path, () -> {
            try (Place place = existing(path, LinkOption.NOFOLLOW_LINKS)) {
                byte[] name = place.requireName(Errno.EBUSY);
                if (place.isDirectory()) {
                    session.fs.rmdir(session.who, place.directory(), name);
                } else {
                    session.fs.unlink(session.who, place.directory(), name);
                }
            }
        });
    }

    /** Moves a name, replacing a file or an empty directory that has the new one: rename(2). */
    public void rename(String from, String to) throws IOException {
        session.change(from, to, () -> {
            try (Place old = existing(from, LinkOption.NOFOLLOW_LINKS);
                    Place fresh = Place.find(session.fs, ByteNames.encode(to), false)) {
                session.fs.rename(
                        session.who,
                        old.directory(),
                        old.requireName(Errno.EBUSY),
                        fresh.directory(),
                        fresh.requireName(Errno.EBUSY),
                        0);
            }
        });
    }

    /** Sets the permission bits: 0 to 07777. */
    public void setPermissions(String path, int permissions) throws IOException {
        session.change(path, () -> {
            try (Place place = existing(path)) {
                Changes.setMode(session, place.ino, permissions);
            }
        });
    }

    /** Sets owner and group (unsigned ids); set-id bits go, as chown(2) takes them. */
    public void setOwner(String path, int uid, int gid, LinkOption... options) throws IOException {
        session.change(path, () -> {
            try (Place place = existing(path, options)) {
                Changes.setOwner(session, place.ino, uid, gid);
            }
        });
    }

    /** Sets times; null leaves one as it is. */
    public void setTimes(String path, FileTime access, FileTime modification, LinkOption... options)
            throws IOException {
        session.change(path, () -> {
            try (Place place = existing(path, options)) {
                Changes.setTimes(session, place.ino, access, modification);
            }
        });
    }

    /** All extended attributes by full name, such as {@code user.comment}; of ACLs in the form of getxattr(2). */
    public Map<String, byte[]> xattrs(String path, LinkOption... options) throws IOException {
        return session.call(path, () -> {
            try (Place place = existing(path, options)) {
                Map<String, byte[]> found = new LinkedHashMap<>();
                for (byte[] name : session.fs.listxattr(place.ino)) {
                    found.put(ByteNames.decode(name), session.fs.getxattr(place.ino, name));
                }
                return found;
            }
        });
    }

    /** Sets an extended attribute by its full name. */
    public void setXattr(String path, String name, byte[] value, LinkOption... options) throws IOException {
        session.change(path, () -> {
            try (Place place = existing(path, options)) {
                session.fs.setxattr(session.who, place.ino, ByteNames.encode(name), value, 0);
            }
        });
    }

    /** Removes an extended attribute. */
    public void removeXattr(String path, String name, LinkOption... options) throws IOException {
        session.change(path, () -> {
            try (Place place = existing(path, options)) {
                session.fs.removexattr(session.who, place.ino, ByteNames.encode(name));
            }
        });
    }

    /** Blocks and inodes, used and free. */
    public StatFs space() throws IOException {
        return session.call("/", session.fs::statfs);
    }

    /** Returns when all changes made before are durable. */
    public void sync() throws IOException {
        session.change("/", session.fs::syncfs);
    }

    /**
     * Copies a file or tree of the host into the image, where it is {@code to}: a file there is replaced, a directory merged
     * with. Ends at the first failure; {@link Copier} can go on. Linux only.
     */
    public void copyIn(Path from, String to, Copying how) throws IOException {
        copy(Endpoint.host(from), Endpoint.image(this, to), how);
    }

    /** Copies a file or tree of the image to the host, where it is {@code to}; otherwise as {@link #copyIn}. */
    public void copyOut(String from, Path to, Copying how) throws IOException {
        copy(Endpoint.image(this, from), Endpoint.host(to), how);
    }

    /** Copies a file or tree within the image; otherwise as {@link #copyIn}, but on any system. */
    public void copy(String from, String to, Copying how) throws IOException {
        copy(Endpoint.image(this, from), Endpoint.image(this, to), how);
    }

    private static void copy(Endpoint from, Endpoint to, Copying how) throws IOException {
        try (Copier copier = new Copier(how, CopyListener.STRICT)) {
            copier.copy(from, to);
        }
    }

    /** How messages call the image: its path, or the name of its device. */
    public String name() {
        return device.name();
    }

    /** The parts of this package that copy trees. */
    Session session() {
        return session;
    }

    /**
     * Waits for calls that are under way, writes everything, marks the image clean and releases it. What is still used
     * afterwards says {@link java.nio.file.ClosedFileSystemException}. Idempotent.
     */
    @Override
    public void close() throws IOException {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        session.door.close();
        try (BlockDevice toClose = device) {
            session.fs.close();
            if (!toClose.readOnly()) {
                toClose.flush();
            }
        } catch (Ext4Exception e) {
            throw Errors.of(e, device.name(), null);
        }
    }

    /** A verb that makes something new, pinned once. */
    @FunctionalInterface
    private interface Maker {
        void make(int parent, byte[] name, Attributes out);
    }

    private void make(String path, Maker maker) throws IOException {
        session.change(path, () -> {
            try (Place place = Place.find(session.fs, ByteNames.encode(path), false)) {
                Attributes out = new Attributes();
                maker.make(place.directory(), place.requireName(Errno.EEXIST), out);
                session.fs.forget(out.ino, 1);
            }
        });
    }

    private Place existing(String path, LinkOption... options) {
        return Place.existing(session.fs, ByteNames.encode(path), follows(options));
    }

    private static boolean follows(LinkOption... options) {
        return !List.of(options).contains(LinkOption.NOFOLLOW_LINKS);
    }
}
