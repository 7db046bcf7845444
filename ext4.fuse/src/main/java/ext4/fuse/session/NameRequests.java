// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.session;

import ext4.api.fs.Attributes;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import ext4.fuse.wire.Replies.EntryOut;
import ext4.fuse.wire.Replies.OpenOut;
import ext4.fuse.wire.Requests.Create;
import ext4.fuse.wire.Requests.Link;
import ext4.fuse.wire.Requests.Mkdir;
import ext4.fuse.wire.Requests.Mknod;
import ext4.fuse.wire.Requests.Rename;
import ext4.fuse.wire.Requests.Rename2;

/** Requests that find, make, move and remove names. Each reply that names an inode is a pin that the kernel holds. */
final class NameRequests {
    private static final int S_IFMT = 0xF000;
    private static final int S_IFREG = 0x8000;

    private final FileSystem fs;
    private final AttributeEncoder encoder;
    private final boolean needsOpen;

    /** @param needsOpen the kernel does not know that ENOSYS means no OPEN is needed */
    NameRequests(FileSystem fs, AttributeEncoder encoder, boolean needsOpen) {
        this.fs = fs;
        this.encoder = encoder;
        this.needsOpen = needsOpen;
    }

    void lookup(Request q, Reply r) {
        Attributes found = r.attributes;
        byte[] name = q.name(0);
        try {
            fs.lookup(q.ino(), name, found);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
            encoder.negativeEntry(r);
            return;
        }
        encoder.entry(r, found);
    }

    /**
     * Makes and opens a file. Where no OPEN is needed the kernel is told that there is no CREATE either: it then sends MKNOD
     * and opens by itself, which is one request less, the RELEASE.
     */
    void create(Request q, Reply r) {
        if (!needsOpen) {
            throw ErrnoException.of(Errno.ENOSYS);
        }
        fs.create(q.who(), q.ino(), q.name(Create.SIZE), q.int32(Create.MODE), r.attributes);
        entryAndOpen(r);
    }

    void tmpfile(Request q, Reply r) {
        fs.tmpfile(q.who(), q.ino(), q.int32(Create.MODE), r.attributes);
        entryAndOpen(r);
    }

    private void entryAndOpen(Reply r) {
        encoder.entry(r, 0, r.attributes);
        r.zero(EntryOut.SIZE, OpenOut.SIZE)
                .int32(EntryOut.SIZE + OpenOut.OPEN_FLAGS, OpenOut.FOPEN_KEEP_CACHE | OpenOut.FOPEN_NOFLUSH)
                .body(EntryOut.SIZE + OpenOut.SIZE);
    }

    void mknod(Request q, Reply r) {
        int mode = q.int32(Mknod.MODE);
        if ((mode & S_IFMT) == S_IFREG) {
            fs.create(q.who(), q.ino(), q.name(Mknod.SIZE), mode, r.attributes);
            encoder.entry(r, r.attributes);
            return;
        }
        int device = q.int32(Mknod.RDEV);
        fs.mknod(
                q.who(),
                q.ino(),
                q.name(Mknod.SIZE),
                mode,
                AttributeEncoder.deviceMajor(device),
                AttributeEncoder.deviceMinor(device),
                r.attributes);
        encoder.entry(r, r.attributes);
    }

    void mkdir(Request q, Reply r) {
        fs.mkdir(q.who(), q.ino(), q.name(Mkdir.SIZE), q.int32(Mkdir.MODE), r.attributes);
        encoder.entry(r, r.attributes);
    }

    void symlink(Request q, Reply r) {
        int target = q.stringLength(0) + 1;
        fs.symlink(q.who(), q.ino(), q.name(0), q.string(target), r.attributes);
        encoder.entry(r, r.attributes);
    }

    void link(Request q, Reply r) {
        int ino = Request.ino(q.int64(Link.OLDNODEID));
        fs.link(q.who(), ino, q.ino(), q.name(Link.SIZE), r.attributes);
        encoder.entry(r, r.attributes);
    }

    void unlink(Request q, Reply r) {
        fs.unlink(q.who(), q.ino(), q.name(0));
    }

    void rmdir(Request q, Reply r) {
        fs.rmdir(q.who(), q.ino(), q.name(0));
    }

    void rename(Request q, Reply r) {
        rename(q, Request.ino(q.int64(Rename.NEWDIR)), Rename.SIZE, 0);
    }

    void rename2(Request q, Reply r) {
        rename(q, Request.ino(q.int64(Rename2.NEWDIR)), Rename2.SIZE, q.int32(Rename2.FLAGS));
    }

    private void rename(Request q, int newParent, int names, int flags) {
        if ((flags & ~(FileSystem.RENAME_NOREPLACE | FileSystem.RENAME_EXCHANGE)) != 0) {
            throw ErrnoException.of(Errno.EINVAL); // as for RENAME_WHITEOUT in renameat2(2)
        }
        int second = names + q.stringLength(names) + 1;
        fs.rename(q.who(), q.ino(), q.name(names), newParent, q.name(second), flags);
    }

    void readlink(Request q, Reply r) {
        byte[] target = fs.readlink(q.ino());
        r.data(0, target, 0, target.length).body(target.length);
    }
}
