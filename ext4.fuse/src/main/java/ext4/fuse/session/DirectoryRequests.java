// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.session;

import ext4.api.fs.FileSystem;
import ext4.fuse.wire.Replies.Dirent;
import ext4.fuse.wire.Replies.EntryOut;
import ext4.fuse.wire.Requests.Read;

/** Listings. Offsets are the filesystem's cookies, so nothing is kept between requests. */
final class DirectoryRequests {
    private static final int TYPE_SHIFT = 12;
    private static final int TYPE_MASK = 0xF;

    private final FileSystem fs;
    private final AttributeEncoder encoder;

    DirectoryRequests(FileSystem fs, AttributeEncoder encoder) {
        this.fs = fs;
        this.encoder = encoder;
    }

    void readdir(Request q, Reply r) {
        Page page = new Page(r, q.int32(Read.COUNT));
        fs.readdir(q.ino(), q.int64(Read.OFFSET), (cookie, ino, mode, name, offset, length) -> {
            if (!page.fits(Dirent.size(length))) {
                return false;
            }
            page.entry(cookie, ino, mode, name, offset, length);
            return true;
        });
        r.body(page.used);
    }

    void readdirplus(Request q, Reply r) {
        Page page = new Page(r, q.int32(Read.COUNT));
        fs.readdirplus(q.ino(), q.int64(Read.OFFSET), (cookie, a, name, offset, length) -> {
            if (!page.fits(EntryOut.SIZE + Dirent.size(length))) {
                return false;
            }
            if (a.nlink == 0 || isDot(name, offset, length)) {
                r.zero(page.used, EntryOut.SIZE); // node id 0: no attributes come with it, and no pin
            } else {
                encoder.entry(r, page.used, a);
            }
            page.used += EntryOut.SIZE;
            page.entry(cookie, a.ino, a.mode, name, offset, length);
            return true;
        });
        r.body(page.used);
    }

    private static boolean isDot(byte[] name, int offset, int length) {
        return name[offset] == '.' && (length == 1 || (length == 2 && name[offset + 1] == '.'));
    }

    /** The entries written so far. */
    private static final class Page {
        private final Reply reply;
        private final int room;
        private int used;

        Page(Reply reply, int room) {
            this.reply = reply;
            this.room = Math.min(room, reply.capacity());
        }

        boolean fits(int size) {
            return size <= room - used;
        }

        void entry(long cookie, int ino, int mode, byte[] name, int offset, int length) {
            int size = Dirent.size(length);
            reply.int64(used + size - Long.BYTES, 0) // the padding, before the name covers what it needs
                    .int64(used + Dirent.INO, Integer.toUnsignedLong(ino))
                    .int64(used + Dirent.OFF, cookie)
                    .int32(used + Dirent.NAMELEN, length)
                    .int32(used + Dirent.TYPE, mode >>> TYPE_SHIFT & TYPE_MASK)
                    .data(used + Dirent.NAME, name, offset, length);
            used += size;
        }
    }
}
