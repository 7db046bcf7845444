// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.core.cache.CachedBlock;
import ext4.core.inode.Inode;
import ext4.format.extent.ExtentNode;
import ext4.format.inode.FileMode;
import ext4.format.inode.InodeFlags;
import ext4.format.superblock.Feature;
import java.util.Arrays;

/** symlink(2). */
public final class Symlink {
    private static final int ALL_MAY = 0777;

    private final Namespace ns;

    /** In this filesystem. */
    public Symlink(Namespace ns) {
        this.ns = ns;
    }

    /**
     * Makes a symbolic link of that name, pinned once.
     *
     * @throws ErrnoException as {@link Create}; ENOENT for an empty target, ENAMETOOLONG for one that fills a block or is
     *     longer than 4095 bytes
     */
    public void symlink(Credentials who, int parent, byte[] name, byte[] target, Attributes out) {
        if (target.length == 0) {
            throw ErrnoException.of(Errno.ENOENT);
        }
        if (target.length > SymlinkTarget.PATH_MAX) {
            throw ErrnoException.of(Errno.ENAMETOOLONG);
        }
        int mode = FileMode.S_IFLNK | ALL_MAY;
        new Creation(ns, who, parent, name, mode, new Target(ns, who, target), out).run();
    }

    private static final class Target implements Creation.Body {
        private final Namespace ns;
        private final Credentials who;
        private final byte[] target;

        Target(Namespace ns, Credentials who, byte[] target) {
            this.ns = ns;
            this.who = who;
            this.target = target;
        }

        @Override
        public int credits(Inode parent) {
            return SymlinkTarget.isFast(target.length) ? 0 : ns.engine().map().appendCredits(parent);
        }

        @Override
        public void check() {
            if (target.length > SymlinkTarget.longest(ns.volume().blockSize())) {
                throw ErrnoException.of(Errno.ENAMETOOLONG);
            }
        }

        @Override
        public void fill(Handle handle, Inode parent, Inode fresh) {
            Arrays.fill(fresh.iBlock, (byte) 0);
            fresh.flags &= ~InodeFlags.EXTENTS;
            if (SymlinkTarget.isFast(target.length)) {
                System.arraycopy(target, 0, fresh.iBlock, 0, target.length);
            } else {
                fillBlock(handle, fresh);
            }
            fresh.size = target.length;
        }

        private void fillBlock(Handle handle, Inode fresh) {
            if (ns.volume().superblock().has(Feature.EXTENTS)) {
                fresh.flags |= InodeFlags.EXTENTS;
                ExtentNode.initRoot(fresh.iBlock, 0);
            }
            try (CachedBlock block = ns.engine().map().append(handle, who, fresh, SymlinkTarget.KIND)) {
                System.arraycopy(target, 0, handle.write(block), 0, target.length);
            }
        }
    }
}
