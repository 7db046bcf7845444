// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.session;

import static ext4.fuse.wire.Opcode.*;

import ext4.api.fs.FileSystem;
import ext4.fuse.wire.Opcode;
import ext4.fuse.wire.Requests;

/** What is done for each opcode: a new one is a new row. */
final class DispatchTable {
    /** Carries out one kind of request; what it throws becomes the reply's error number. */
    @FunctionalInterface
    interface Handler {
        void handle(Request request, Reply reply);
    }

    /**
     * @param bodySize least bytes after the header
     * @param replies whether the kernel waits for an answer
     * @param blocks whether it waits for the device as a rule
     */
    record Row(Opcode opcode, int bodySize, boolean replies, boolean blocks, Handler handler) {}

    private final Row[] rows = new Row[Opcode.LIMIT];

    DispatchTable(FileSystem fs, Negotiation negotiation, Interrupts interrupts) {
        AttributeEncoder encoder = new AttributeEncoder(fs.statfs().blockSize());
        names(new NameRequests(fs, encoder, negotiation.needsOpen()));
        attributes(new AttributeRequests(fs, encoder), new XattrRequests(fs));
        contents(new FileRequests(fs), new DirectoryRequests(fs, encoder));
        control(new ControlRequests(fs, negotiation.needsOpen(), negotiation.needsOpendir()), interrupts);
    }

    private void names(NameRequests names) {
        row(LOOKUP, 1, names::lookup);
        row(CREATE, Requests.Create.SIZE, names::create);
        row(TMPFILE, Requests.Create.SIZE, names::tmpfile);
        row(MKNOD, Requests.Mknod.SIZE, names::mknod);
        row(MKDIR, Requests.Mkdir.SIZE, names::mkdir);
        row(SYMLINK, 2, names::symlink);
        row(LINK, Requests.Link.SIZE, names::link);
        row(UNLINK, 1, names::unlink);
        row(RMDIR, 1, names::rmdir);
        row(RENAME, Requests.Rename.SIZE, names::rename);
        row(RENAME2, Requests.Rename2.SIZE, names::rename2);
        row(READLINK, 0, names::readlink);
    }

    private void attributes(AttributeRequests attributes, XattrRequests xattrs) {
        row(GETATTR, 0, attributes::getattr);
        row(SETATTR, Requests.SetAttr.SIZE, attributes::setattr);
        row(STATX, Requests.Statx.SIZE, attributes::statx);
        row(GETXATTR, Requests.GetXattr.SIZE, xattrs::getxattr);
        row(LISTXATTR, Requests.GetXattr.SIZE, xattrs::listxattr);
        row(SETXATTR, Requests.SetXattr.SIZE, xattrs::setxattr);
        row(REMOVEXATTR, 1, xattrs::removexattr);
    }

    private void contents(FileRequests files, DirectoryRequests directories) {
        row(READ, Requests.Read.SIZE, files::read);
        row(WRITE, Requests.Write.SIZE, files::write);
        blocking(FSYNC, Requests.Fsync.SIZE, files::fsync);
        row(FALLOCATE, Requests.Fallocate.SIZE, files::fallocate);
        row(LSEEK, Requests.Lseek.SIZE, files::lseek);
        row(READDIR, Requests.Read.SIZE, directories::readdir);
        row(READDIRPLUS, Requests.Read.SIZE, directories::readdirplus);
        blocking(FSYNCDIR, Requests.Fsync.SIZE, files::fsync);
    }

    private void control(ControlRequests control, Interrupts interrupts) {
        silent(FORGET, Requests.Forget.SIZE, control::forget);
        silent(BATCH_FORGET, Requests.BatchForget.SIZE, control::batchForget);
        silent(INTERRUPT, Requests.Interrupt.SIZE, (q, r) -> interrupts.interrupt(q.int64(Requests.Interrupt.UNIQUE)));
        silent(NOTIFY_REPLY, 0, control::nothing);
        row(OPEN, 0, control::open);
        row(OPENDIR, 0, control::opendir);
        row(RELEASE, 0, control::nothing);
        row(RELEASEDIR, 0, control::nothing);
        row(DESTROY, 0, control::nothing);
        row(STATFS, 0, control::statfs);
        blocking(SYNCFS, 0, control::syncfs);
        row(IOCTL, Requests.Ioctl.SIZE, control::ioctl);
        row(FLUSH, 0, control::notImplemented);
        row(ACCESS, 0, control::notImplemented); // default_permissions
        row(GETLK, 0, control::notImplemented); // locks are the kernel's
        row(SETLK, 0, control::notImplemented);
        row(SETLKW, 0, control::notImplemented);
        row(BMAP, 0, control::notImplemented);
        row(POLL, 0, control::notImplemented);
        row(COPY_FILE_RANGE, 0, control::notImplemented); // the kernel copies through its cache
        row(COPY_FILE_RANGE_64, 0, control::notImplemented);
        row(SETUPMAPPING, 0, control::notImplemented);
        row(REMOVEMAPPING, 0, control::notImplemented);
    }

    /** The row of an opcode, null if there is none. */
    Row row(int opcode) {
        return opcode >= 0 && opcode < rows.length ? rows[opcode] : null;
    }

    private void row(Opcode opcode, int bodySize, Handler handler) {
        rows[opcode.number()] = new Row(opcode, bodySize, true, false, handler);
    }

    private void blocking(Opcode opcode, int bodySize, Handler handler) {
        rows[opcode.number()] = new Row(opcode, bodySize, true, true, handler);
    }

    private void silent(Opcode opcode, int bodySize, Handler handler) {
        rows[opcode.number()] = new Row(opcode, bodySize, false, false, handler);
    }
}
