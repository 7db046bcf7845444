// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.DirPlusSink;
import ext4.api.fs.DirSink;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.FileSystem;
import ext4.api.fs.StatFs;
import ext4.api.journal.Journal;
import ext4.core.file.Engine;
import ext4.core.file.FileVerbs;
import ext4.core.file.StatVolume;
import ext4.core.inode.Inode;
import ext4.core.volume.ErrorPolicy;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The verbs, each handed to its class. What all have in common is done here: what a verb ends with is shown to the
 * errors= policy, with no lock and no handle held any more, and on a mount with the option sync a change is durable before
 * its verb returns.
 */
abstract class Verbs implements FileSystem {
    final Engine engine;
    private final FileVerbs files;
    private final NameVerbs names;
    private final StatVolume statVolume;
    private final ErrorPolicy errors;
    private final boolean sync;

    /** @param journalBlocks blocks of the journal inside the filesystem */
    Verbs(Engine engine, FileVerbs files, NameVerbs names, long journalBlocks) {
        this.engine = engine;
        this.files = files;
        this.names = names;
        statVolume = new StatVolume(engine, journalBlocks);
        errors = engine.volume().errors();
        sync = engine.volume().options().sync();
    }

    private void changed() {
        Journal journal = engine.volume().journal();
        if (sync && journal != null) {
            journal.commitRunning();
        }
    }

    @Override
    public final void pin(int ino) {
        engine.pins().add(ino);
    }

    @Override
    public final void forget(int ino, long count) {
        if (ino != Inode.ROOT) {
            engine.forget(ino, count);
        }
    }

    @Override
    public final void syncfs() {
        files.sync().syncfs();
    }

    @Override
    public final StatFs statfs() {
        return statVolume.statfs();
    }

    @Override
    public final void lookup(int parent, byte[] name, Attributes out) {
        try {
            names.lookup.lookup(parent, name, out);
        } catch (Ext4Exception e) {
            throw errors.lookingUp("lookup", parent, e);
        }
    }

    @Override
    public final void getattr(int ino, Attributes out) {
        try {
            files.getAttr().getattr(ino, out);
        } catch (Ext4Exception e) {
            throw errors.reading("getattr", ino, e);
        }
    }

    @Override
    public final void setattr(Credentials who, int ino, AttributeChange change, Attributes out) {
        try {
            files.setAttr().setattr(ino, change, out);
            changed();
        } catch (Ext4Exception e) {
            throw errors.changing("setattr", ino, e);
        }
    }

    @Override
    public final void create(Credentials who, int parent, byte[] name, int mode, Attributes out) {
        try {
            names.create.create(who, parent, name, mode, out);
            changed();
        } catch (Ext4Exception e) {
            throw errors.changing("create", parent, e);
        }
    }

    @Override
    public final void mknod(Credentials who, int parent, byte[] name, int mode, int major, int minor, Attributes out) {
        try {
            names.mknod.mknod(who, parent, name, mode, major, minor, out);
            changed();
        } catch (Ext4Exception e) {
            throw errors.changing("mknod", parent, e);
        }
    }

    @Override
    public final void mkdir(Credentials who, int parent, byte[] name, int mode, Attributes out) {
        try {
            names.mkdir.mkdir(who, parent, name, mode, out);
            changed();
        } catch (Ext4Exception e) {
            throw errors.changing("mkdir", parent, e);
        }
    }

    @Override
    public final void symlink(Credentials who, int parent, byte[] name, byte[] target, Attributes out) {
        try {
            names.symlink.symlink(who, parent, name, target, out);
            changed();
        } catch (Ext4Exception e) {
            throw errors.changing("symlink", parent, e);
        }
    }

    @Override
    public final void tmpfile(Credentials who, int parent, int mode, Attributes out) {
        try {
            names.tmpfile.tmpfile(who, parent, mode, out);
            changed();
        } catch (Ext4Exception e) {
            throw errors.changing("tmpfile", parent, e);
        }
    }

    @Override
    public final void link(Credentials who, int ino, int newParent, byte[] newName, Attributes out) {
        try {
            names.link.link(who, ino, newParent, newName, out);
            changed();
        } catch (Ext4Exception e) {
            throw errors.changing("link", ino, e);
        }
    }

    @Override
    public final void unlink(Credentials who, int parent, byte[] name) {
        try {
            names.unlink.unlink(who, parent, name);
            changed();
        } catch (Ext4Exception e) {
            throw errors.changing("unlink", parent, e);
        }
    }

    @Override
    public final void rmdir(Credentials who, int parent, byte[] name) {
        try {
            names.rmdir.rmdir(who, parent, name);
            changed();
        } catch (Ext4Exception e) {
            throw errors.changing("rmdir", parent, e);
        }
    }

    @Override
    public final void rename(Credentials who, int parent, byte[] name, int newParent, byte[] newName, int flags) {
        try {
            names.rename.rename(who, parent, name, newParent, newName, flags);
            changed();
        } catch (Ext4Exception e) {
            throw errors.changing("rename", parent, e);
        }
    }

    @Override
    public final byte[] readlink(int ino) {
        try {
            return names.readlink.readlink(ino);
        } catch (Ext4Exception e) {
            throw errors.reading("readlink", ino, e);
        }
    }

    @Override
    public final int read(int ino, long offset, ByteBuffer dst) {
        try {
            return files.read().read(ino, offset, dst);
        } catch (Ext4Exception e) {
            throw errors.reading("read", ino, e);
        }
    }

    @Override
    public final int write(Credentials who, int ino, long offset, ByteBuffer src, int flags) {
        try {
            int result = files.write().write(who, ino, offset, src, flags);
            changed();
            return result;
        } catch (Ext4Exception e) {
            throw errors.changing("write", ino, e);
        }
    }

    @Override
    public final void readdir(int ino, long cookie, DirSink sink) {
        try {
            names.readdir.readdir(ino, cookie, sink);
        } catch (Ext4Exception e) {
            throw errors.reading("readdir", ino, e);
        }
    }

    @Override
    public final void readdirplus(int ino, long cookie, DirPlusSink sink) {
        try {
            names.readdir.readdirplus(ino, cookie, sink);
        } catch (Ext4Exception e) {
            throw errors.reading("readdirplus", ino, e);
        }
    }

    @Override
    public final byte[] getxattr(int ino, byte[] name) {
        try {
            return names.getXattr.get(ino, name);
        } catch (Ext4Exception e) {
            throw errors.reading("getxattr", ino, e);
        }
    }

    @Override
    public final List<byte[]> listxattr(int ino) {
        try {
            return names.getXattr.list(ino);
        } catch (Ext4Exception e) {
            throw errors.reading("listxattr", ino, e);
        }
    }

    @Override
    public final void setxattr(Credentials who, int ino, byte[] name, byte[] value, int flags) {
        try {
            names.setXattr.set(who, ino, name, value, flags);
            changed();
        } catch (Ext4Exception e) {
            throw errors.changing("setxattr", ino, e);
        }
    }

    @Override
    public final void removexattr(Credentials who, int ino, byte[] name) {
        try {
            names.setXattr.remove(who, ino, name);
            changed();
        } catch (Ext4Exception e) {
            throw errors.changing("removexattr", ino, e);
        }
    }

    @Override
    public final void fallocate(Credentials who, int ino, int mode, long offset, long length) {
        try {
            files.fallocate().fallocate(who, ino, mode, offset, length);
            changed();
        } catch (Ext4Exception e) {
            throw errors.changing("fallocate", ino, e);
        }
    }

    @Override
    public final long seek(int ino, long offset, boolean hole) {
        try {
            return files.seek().seek(ino, offset, hole);
        } catch (Ext4Exception e) {
            throw errors.reading("seek", ino, e);
        }
    }

    @Override
    public final void fsync(int ino, boolean dataOnly) {
        try {
            files.sync().fsync(ino, dataOnly);
        } catch (Ext4Exception e) {
            throw errors.reading("fsync", ino, e);
        }
    }
}
