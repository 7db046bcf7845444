// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.Attributes;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import java.io.IOException;
import java.util.function.Consumer;

/** A directory of an image, pinned once for it. */
final class ImageFolder extends Folder {
    private static final int PRIVATE_FILE = 0600;
    private static final int PRIVATE_DIRECTORY = 0700;

    private final Session session;
    private final int ino;
    private final DirectoryCursor cursor;
    private boolean closed;

    ImageFolder(Session session, int ino, Folder parent, byte[] label) {
        super(parent, label);
        this.session = session;
        this.ino = ino;
        this.cursor = new DirectoryCursor(session, ino, () -> path(null));
    }

    @Override
    byte[] next() throws IOException {
        DirectoryCursor.Item item = cursor.next();
        return item == null ? null : item.name();
    }

    @Override
    Node self() throws IOException {
        return session.call(() -> path(null), () -> Node.of(session, session.attributes(ino)));
    }

    @Override
    Grip grip() {
        return new ImageGrip(session, ino, () -> path(null));
    }

    @Override
    Node stat(byte[] name) throws IOException {
        return session.call(() -> path(name), () -> {
            Attributes found = new Attributes();
            try {
                session.fs.lookup(ino, name, found);
            } catch (ErrnoException e) {
                if (e.errno() == Errno.ENOENT) {
                    return null;
                }
                throw e;
            }
            forget(found);
            return Node.of(session, found);
        });
    }

    @Override
    Grip grip(byte[] name) throws IOException {
        int found = number(name);
        return new ImageGrip(session, found, () -> path(name));
    }

    private int number(byte[] name) throws IOException {
        Node node = stat(name);
        if (node == null) {
            throw Errors.of(Errno.ENOENT, path(name), null);
        }
        return (int) node.ino();
    }

    @Override
    Folder enter(byte[] name) throws IOException {
        return new ImageFolder(session, pinned(name, FileType.DIRECTORY, Errno.ENOTDIR), this, name);
    }

    @Override
    Content read(byte[] name) throws IOException {
        int found = pinned(name, FileType.REGULAR, Errno.EINVAL);
        return new ImageContent(new ImageGrip(session, found, () -> path(name)));
    }

    private int pinned(byte[] name, FileType wanted, Errno otherwise) throws IOException {
        return session.call(() -> path(name), () -> {
            Attributes found = new Attributes();
            session.fs.lookup(ino, name, found);
            if (FileType.of(found.mode) != wanted) {
                forget(found);
                throw ErrnoException.of(otherwise);
            }
            return found.ino;
        });
    }

    @Override
    byte[] readlink(byte[] name) throws IOException {
        return session.call(() -> path(name), () -> {
            Attributes found = new Attributes();
            session.fs.lookup(ino, name, found);
            try {
                return session.fs.readlink(found.ino);
            } finally {
                forget(found);
            }
        });
    }

    @Override
    void mkdir(byte[] name) throws IOException {
        make(name, out -> session.fs.mkdir(session.who, ino, name, PRIVATE_DIRECTORY, out));
    }

    @Override
    Content create(byte[] name) throws IOException {
        Attributes out = new Attributes();
        session.change(() -> path(name), null, () -> {
            session.fs.create(session.who, ino, name, PRIVATE_FILE, out);
            return null;
        });
        return new ImageContent(new ImageGrip(session, out.ino, () -> path(name)));
    }

    @Override
    void symlink(byte[] name, byte[] target) throws IOException {
        make(name, out -> session.fs.symlink(session.who, ino, name, target, out));
    }

    @Override
    void mknod(byte[] name, Node like) throws IOException {
        int mode = like.type().bits() | PRIVATE_FILE;
        make(name, out -> session.fs.mknod(session.who, ino, name, mode, like.rdevMajor(), like.rdevMinor(), out));
    }

    @Override
    Object reference(byte[] name) throws IOException {
        return number(name);
    }

    @Override
    void link(Object reference, byte[] name) throws IOException {
        make(name, out -> session.fs.link(session.who, (int) reference, ino, name, out));
    }

    @Override
    void remove(byte[] name) throws IOException {
        session.change(() -> path(name), null, () -> {
            session.fs.unlink(session.who, ino, name);
            return null;
        });
    }

    private void make(byte[] name, Consumer<Attributes> maker) throws IOException {
        session.change(() -> path(name), null, () -> {
            Attributes out = new Attributes();
            maker.accept(out);
            forget(out);
            return null;
        });
    }

    private void forget(Attributes found) {
        if (found.ino != Session.ROOT) {
            session.fs.forget(found.ino, 1);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            session.forget(ino);
        }
    }
}
