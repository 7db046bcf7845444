// SPDX-License-Identifier: Apache-2.0
package ext4.mount.kept;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.DirPlusSink;
import ext4.api.fs.DirSink;
import ext4.api.fs.FileSystem;
import ext4.api.fs.Interruptible;
import ext4.api.fs.StatFs;
import ext4.api.keep.NodeTable;
import ext4.mount.gate.GatedFileSystem;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The verbs as the transport of a kept mount sees them: what the operating system is told of, and gives back, is noted in
 * the table of nodes. Raised when the verb has returned, which is before the transport replies; lowered after the core's
 * part of giving it back. What is used in this process only goes past it, as it ends with the process.
 */
public final class CountedFileSystem implements FileSystem, Interruptible {
    private final GatedFileSystem gated;
    private final NodeTable nodes;

    public CountedFileSystem(GatedFileSystem gated, NodeTable nodes) {
        this.gated = gated;
        this.nodes = nodes;
    }

    private void named(Attributes out) {
        nodes.raise(out.ino, out.generation);
    }

    @Override
    public boolean interrupt(Thread thread) {
        return gated.interrupt(thread);
    }

    /** The caller holds it already, and with it the entry that has its generation. */
    @Override
    public void pin(int ino) {
        Attributes known = new Attributes();
        gated.getattr(ino, known);
        gated.pin(ino);
        named(known);
    }

    @Override
    public void forget(int ino, long count) {
        gated.forget(ino, count);
        nodes.lower(ino, count);
    }

    @Override
    public void readdirplus(int ino, long cookie, DirPlusSink sink) {
        gated.readdirplus(ino, cookie, (next, attributes, name, offset, length) -> {
            boolean taken = sink.entry(next, attributes, name, offset, length);
            if (taken && attributes.nlink != 0 && !isDot(name, offset, length)) {
                named(attributes);
            }
            return taken;
        });
    }

    /** {@code .} and {@code ..} name nothing new. */
    private static boolean isDot(byte[] name, int offset, int length) {
        return name[offset] == '.' && (length == 1 || length == 2 && name[offset + 1] == '.');
    }

    @Override
    public void setattr(Credentials who, int ino, AttributeChange change, Attributes out) {
        gated.setattr(who, ino, change, out);
    }

    @Override
    public void lookup(int parent, byte[] name, Attributes out) {
        gated.lookup(parent, name, out);
        named(out);
    }

    @Override
    public void getattr(int ino, Attributes out) {
        gated.getattr(ino, out);
    }

    @Override
    public void create(Credentials who, int parent, byte[] name, int mode, Attributes out) {
        gated.create(who, parent, name, mode, out);
        named(out);
    }

    @Override
    public void mknod(Credentials who, int parent, byte[] name, int mode, int major, int minor, Attributes out) {
        gated.mknod(who, parent, name, mode, major, minor, out);
        named(out);
    }

    @Override
    public void mkdir(Credentials who, int parent, byte[] name, int mode, Attributes out) {
        gated.mkdir(who, parent, name, mode, out);
        named(out);
    }

    @Override
    public void symlink(Credentials who, int parent, byte[] name, byte[] target, Attributes out) {
        gated.symlink(who, parent, name, target, out);
        named(out);
    }

    @Override
    public void tmpfile(Credentials who, int parent, int mode, Attributes out) {
        gated.tmpfile(who, parent, mode, out);
        named(out);
    }

    @Override
    public void link(Credentials who, int ino, int newParent, byte[] newName, Attributes out) {
        gated.link(who, ino, newParent, newName, out);
        named(out);
    }

    @Override
    public void unlink(Credentials who, int parent, byte[] name) {
        gated.unlink(who, parent, name);
    }

    @Override
    public void rmdir(Credentials who, int parent, byte[] name) {
        gated.rmdir(who, parent, name);
    }

    @Override
    public void rename(Credentials who, int parent, byte[] name, int newParent, byte[] newName, int flags) {
        gated.rename(who, parent, name, newParent, newName, flags);
    }

    @Override
    public byte[] readlink(int ino) {
        return gated.readlink(ino);
    }

    @Override
    public int read(int ino, long offset, ByteBuffer dst) {
        return gated.read(ino, offset, dst);
    }

    @Override
    public int write(Credentials who, int ino, long offset, ByteBuffer src, int flags) {
        return gated.write(who, ino, offset, src, flags);
    }

    @Override
    public void readdir(int ino, long cookie, DirSink sink) {
        gated.readdir(ino, cookie, sink);
    }

    @Override
    public byte[] getxattr(int ino, byte[] name) {
        return gated.getxattr(ino, name);
    }

    @Override
    public List<byte[]> listxattr(int ino) {
        return gated.listxattr(ino);
    }

    @Override
    public void setxattr(Credentials who, int ino, byte[] name, byte[] value, int flags) {
        gated.setxattr(who, ino, name, value, flags);
    }

    @Override
    public void removexattr(Credentials who, int ino, byte[] name) {
        gated.removexattr(who, ino, name);
    }

    @Override
    public void fallocate(Credentials who, int ino, int mode, long offset, long length) {
        gated.fallocate(who, ino, mode, offset, length);
    }

    @Override
    public long seek(int ino, long offset, boolean hole) {
        return gated.seek(ino, offset, hole);
    }

    @Override
    public void fsync(int ino, boolean dataOnly) {
        gated.fsync(ino, dataOnly);
    }

    @Override
    public void syncfs() {
        gated.syncfs();
    }

    @Override
    public StatFs statfs() {
        return gated.statfs();
    }
}
