// SPDX-License-Identifier: Apache-2.0
package ext4.mount.gate;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.DirPlusSink;
import ext4.api.fs.DirSink;
import ext4.api.fs.FileSystem;
import ext4.api.fs.Interruptible;
import ext4.api.fs.StatFs;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** The verbs of a mount: each passes the gate and is answered by the core that is there at that moment. */
public final class GatedFileSystem implements FileSystem, Interruptible {
    private final Gate gate;
    /** A setattr takes the inode off the orphan list whether or not it put it on: mount option for benchmarks. */
    private final boolean alwaysRemoves;

    private final DeferredForgets deferred = new DeferredForgets();
    /** Changed only while the gate is closed for everything and drained; null while there is none. */
    private volatile FileSystem core;

    public GatedFileSystem(Gate gate, FileSystem core, boolean alwaysRemoves) {
        this.gate = gate;
        this.core = core;
        this.alwaysRemoves = alwaysRemoves;
    }

    /** Another core, or none, from now on. The gate is closed for {@link Part#CORE} and drained. */
    public void publish(FileSystem next) {
        core = next;
    }

    @Override
    public boolean interrupt(Thread thread) {
        return gate.interrupt(thread);
    }

    /** Gives back the pins that came while the gate was closed for {@link Verb#FORGET}; until it closes again. */
    public void replayForgets() {
        for (Map.Entry<Integer, Long> entry = deferred.take(); entry != null; entry = deferred.take()) {
            int slot = gate.tryEnter(Verb.FORGET);
            if (slot < 0) {
                deferred.add(entry.getKey(), entry.getValue());
                return;
            }
            try {
                core.forget(entry.getKey(), entry.getValue());
            } finally {
                gate.leave(slot);
            }
        }
    }

    /** Inodes whose pins wait to be given back. */
    public int forgetsDeferred() {
        return deferred.size();
    }

    @Override
    public void forget(int ino, long count) {
        int slot = gate.tryEnter(Verb.FORGET);
        if (slot < 0) {
            deferred.add(ino, count);
            if (gate.isOpen(Verb.FORGET)) {
                replayForgets();
            }
            return;
        }
        try {
            core.forget(ino, count);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void setattr(Credentials who, int ino, AttributeChange change, Attributes out) {
        boolean list = alwaysRemoves || (change.valid & AttributeChange.SIZE) != 0;
        int slot = gate.enter(list ? Verb.TRUNCATE : Verb.SETATTR);
        try {
            core.setattr(who, ino, change, out);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void lookup(int parent, byte[] name, Attributes out) {
        int slot = gate.enter(Verb.LOOKUP);
        try {
            core.lookup(parent, name, out);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void pin(int ino) {
        int slot = gate.enter(Verb.PIN);
        try {
            core.pin(ino);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void getattr(int ino, Attributes out) {
        int slot = gate.enter(Verb.GETATTR);
        try {
            core.getattr(ino, out);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void create(Credentials who, int parent, byte[] name, int mode, Attributes out) {
        int slot = gate.enter(Verb.CREATE);
        try {
            core.create(who, parent, name, mode, out);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void mknod(Credentials who, int parent, byte[] name, int mode, int major, int minor, Attributes out) {
        int slot = gate.enter(Verb.MKNOD);
        try {
            core.mknod(who, parent, name, mode, major, minor, out);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void mkdir(Credentials who, int parent, byte[] name, int mode, Attributes out) {
        int slot = gate.enter(Verb.MKDIR);
        try {
            core.mkdir(who, parent, name, mode, out);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void symlink(Credentials who, int parent, byte[] name, byte[] target, Attributes out) {
        int slot = gate.enter(Verb.SYMLINK);
        try {
            core.symlink(who, parent, name, target, out);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void tmpfile(Credentials who, int parent, int mode, Attributes out) {
        int slot = gate.enter(Verb.TMPFILE);
        try {
            core.tmpfile(who, parent, mode, out);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void link(Credentials who, int ino, int newParent, byte[] newName, Attributes out) {
        int slot = gate.enter(Verb.LINK);
        try {
            core.link(who, ino, newParent, newName, out);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void unlink(Credentials who, int parent, byte[] name) {
        int slot = gate.enter(Verb.UNLINK);
        try {
            core.unlink(who, parent, name);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void rmdir(Credentials who, int parent, byte[] name) {
        int slot = gate.enter(Verb.RMDIR);
        try {
            core.rmdir(who, parent, name);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void rename(Credentials who, int parent, byte[] name, int newParent, byte[] newName, int flags) {
        int slot = gate.enter(Verb.RENAME);
        try {
            core.rename(who, parent, name, newParent, newName, flags);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public byte[] readlink(int ino) {
        int slot = gate.enter(Verb.READLINK);
        try {
            return core.readlink(ino);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public int read(int ino, long offset, ByteBuffer dst) {
        int slot = gate.enter(Verb.READ);
        try {
            return core.read(ino, offset, dst);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public int write(Credentials who, int ino, long offset, ByteBuffer src, int flags) {
        int slot = gate.enter(Verb.WRITE);
        try {
            return core.write(who, ino, offset, src, flags);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void readdir(int ino, long cookie, DirSink sink) {
        int slot = gate.enter(Verb.READDIR);
        try {
            core.readdir(ino, cookie, sink);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void readdirplus(int ino, long cookie, DirPlusSink sink) {
        int slot = gate.enter(Verb.READDIRPLUS);
        try {
            core.readdirplus(ino, cookie, sink);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public byte[] getxattr(int ino, byte[] name) {
        int slot = gate.enter(Verb.GETXATTR);
        try {
            return core.getxattr(ino, name);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public List<byte[]> listxattr(int ino) {
        int slot = gate.enter(Verb.LISTXATTR);
        try {
            return core.listxattr(ino);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void setxattr(Credentials who, int ino, byte[] name, byte[] value, int flags) {
        int slot = gate.enter(Verb.SETXATTR);
        try {
            core.setxattr(who, ino, name, value, flags);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void removexattr(Credentials who, int ino, byte[] name) {
        int slot = gate.enter(Verb.REMOVEXATTR);
        try {
            core.removexattr(who, ino, name);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void fallocate(Credentials who, int ino, int mode, long offset, long length) {
        int slot = gate.enter(Verb.FALLOCATE);
        try {
            core.fallocate(who, ino, mode, offset, length);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public long seek(int ino, long offset, boolean hole) {
        int slot = gate.enter(Verb.SEEK);
        try {
            return core.seek(ino, offset, hole);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void fsync(int ino, boolean dataOnly) {
        int slot = gate.enter(Verb.FSYNC);
        try {
            core.fsync(ino, dataOnly);
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public void syncfs() {
        int slot = gate.enter(Verb.SYNCFS);
        try {
            core.syncfs();
        } finally {
            gate.leave(slot);
        }
    }

    @Override
    public StatFs statfs() {
        int slot = gate.enter(Verb.STATFS);
        try {
            return core.statfs();
        } finally {
            gate.leave(slot);
        }
    }
}
