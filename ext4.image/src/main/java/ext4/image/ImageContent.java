// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The bytes of a file in an image. The inode is pinned once for it. */
record ImageContent(ImageGrip grip) implements Content {
    private Session session() {
        return grip.session();
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        return session().call(grip.path(), () -> session().fs.read(grip.ino(), offset, dst));
    }

    @Override
    public void write(ByteBuffer src, long offset) throws IOException {
        int start = src.position();
        session().change(grip.path(), null, () -> {
            while (src.hasRemaining()) {
                session().fs.write(session().who, grip.ino(), offset + src.position() - start, src, 0);
            }
            return null;
        });
    }

    @Override
    public long nextData(long offset) throws IOException {
        return seek(offset, false);
    }

    @Override
    public long nextHole(long offset) throws IOException {
        return seek(offset, true);
    }

    private long seek(long offset, boolean hole) throws IOException {
        return session().call(grip.path(), () -> {
            try {
                return session().fs.seek(grip.ino(), offset, hole);
            } catch (ErrnoException e) {
                if (e.errno() == Errno.ENXIO) {
                    return -1L;
                }
                throw e;
            }
        });
    }

    @Override
    public void setSize(long size) throws IOException {
        session().change(grip.path(), null, () -> {
            Changes.setSize(session(), grip.ino(), size);
            return null;
        });
    }

    @Override
    public void close() {
        session().forget(grip.ino());
    }
}
