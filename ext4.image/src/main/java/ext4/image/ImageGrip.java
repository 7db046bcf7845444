// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** An inode of an image. */
record ImageGrip(Session session, int ino, Supplier<String> path) implements Grip {
    @Override
    public List<byte[]> xattrNames() throws IOException {
        return session.call(path, () -> session.fs.listxattr(ino));
    }

    @Override
    public byte[] xattr(byte[] name) throws IOException {
        return session.call(path, () -> {
            try {
                return session.fs.getxattr(ino, name);
            } catch (ErrnoException e) {
                if (e.errno() == Errno.ENODATA) {
                    return null;
                }
                throw e;
            }
        });
    }

    @Override
    public void setXattr(byte[] name, byte[] value) throws IOException {
        change(() -> session.fs.setxattr(session.who, ino, name, value, 0));
    }

    @Override
    public void removeXattr(byte[] name) throws IOException {
        change(() -> session.fs.removexattr(session.who, ino, name));
    }

    @Override
    public boolean setOwner(int uid, int gid) throws IOException {
        change(() -> Changes.setOwner(session, ino, uid, gid));
        return true;
    }

    @Override
    public void setPermissions(int permissions) throws IOException {
        change(() -> Changes.setMode(session, ino, permissions));
    }

    @Override
    public void setTimes(Node like) throws IOException {
        AttributeChange times = new AttributeChange();
        times.valid = AttributeChange.ATIME | AttributeChange.MTIME;
        times.atime = like.atime();
        times.atimeNanos = like.atimeNanos();
        times.mtime = like.mtime();
        times.mtimeNanos = like.mtimeNanos();
        change(() -> session.fs.setattr(session.who, ino, times, new Attributes()));
    }

    private void change(Session.Action action) throws IOException {
        session.change(path, null, () -> {
            action.run();
            return null;
        });
    }
}
