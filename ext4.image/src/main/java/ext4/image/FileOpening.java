// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.Attributes;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** open(2) with the options of java.nio.file. */
final class FileOpening {
    private static final int FILE_MODE = 0644;

    private final Session session;
    private final String path;
    private final Set<OpenOption> options;
    private final ImageChannel.Access access;
    private final boolean createNew;
    private final boolean create;

    FileOpening(Session session, String path, OpenOption... options) {
        this.session = session;
        this.path = path;
        this.options = new HashSet<>(List.of(options));
        for (OpenOption option : options) {
            boolean known = option instanceof StandardOpenOption || option == LinkOption.NOFOLLOW_LINKS;
            if (!known || option == StandardOpenOption.DELETE_ON_CLOSE) {
                throw new UnsupportedOperationException(option + " is not supported");
            }
        }
        boolean append = has(StandardOpenOption.APPEND);
        boolean write = append || has(StandardOpenOption.WRITE);
        boolean read = has(StandardOpenOption.READ) || !write;
        if (append && (has(StandardOpenOption.READ) || has(StandardOpenOption.TRUNCATE_EXISTING))) {
            throw new IllegalArgumentException("APPEND goes neither with READ nor with TRUNCATE_EXISTING");
        }
        access = new ImageChannel.Access(
                read, write, append, has(StandardOpenOption.SYNC) || has(StandardOpenOption.DSYNC));
        createNew = write && has(StandardOpenOption.CREATE_NEW);
        create = createNew || write && has(StandardOpenOption.CREATE);
    }

    /** Options for an output stream: WRITE is added; CREATE and TRUNCATE_EXISTING if there are none. */
    static OpenOption[] toWrite(OpenOption... given) {
        Set<OpenOption> set = new HashSet<>(List.of(given));
        if (set.contains(StandardOpenOption.READ)) {
            throw new IllegalArgumentException("READ does not go with writing");
        }
        if (set.isEmpty()) {
            set.add(StandardOpenOption.CREATE);
            set.add(StandardOpenOption.TRUNCATE_EXISTING);
        }
        set.add(StandardOpenOption.WRITE);
        return set.toArray(OpenOption[]::new);
    }

    private boolean has(OpenOption option) {
        return options.contains(option);
    }

    ImageChannel open() throws IOException {
        int ino = access.write() ? session.change(() -> path, null, this::find) : session.call(path, this::find);
        ImageChannel channel = new ImageChannel(session, path, ino, access);
        boolean done = false;
        try {
            if (access.write() && !access.append() && has(StandardOpenOption.TRUNCATE_EXISTING)) {
                session.change(path, () -> Changes.setSize(session, ino, 0));
            }
            if (access.append()) {
                channel.position(channel.size());
            }
            done = true;
            return channel;
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    /** The inode, pinned. A file that another thread makes or removes at the same time is looked for again. */
    private int find() throws IOException {
        boolean follow = !createNew && !has(LinkOption.NOFOLLOW_LINKS);
        while (true) {
            try (Place place = Place.find(session.fs, ByteNames.encode(path), follow)) {
                if (place.exists()) {
                    return existing(place);
                }
                if (!create) {
                    throw ErrnoException.of(Errno.ENOENT);
                }
                if (place.directoryOnly) {
                    throw ErrnoException.of(Errno.EISDIR);
                }
                Attributes out = new Attributes();
                session.fs.create(session.who, place.directory(), place.name, FILE_MODE, out);
                return out.ino;
            } catch (ErrnoException e) {
                if (e.errno() != Errno.EEXIST || createNew) {
                    throw e;
                }
            }
        }
    }

    private int existing(Place place) throws IOException {
        if (createNew) {
            throw ErrnoException.of(Errno.EEXIST);
        }
        if (place.isDirectory()) {
            throw ErrnoException.of(Errno.EISDIR);
        }
        if (place.isSymlink()) {
            throw ErrnoException.of(Errno.ELOOP);
        }
        if (!place.isRegular()) {
            throw new FileSystemException(path, null, "not a regular file");
        }
        return place.keep();
    }
}
