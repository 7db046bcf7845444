// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.journal.Handle;
import ext4.core.dir.DirChange;
import ext4.core.inode.Inode;
import ext4.format.inode.FileMode;

/** mkdir(2). */
public final class Mkdir {
    private final Namespace ns;

    /** mkdir(2) takes no set-id bits; one of the parent is inherited. */
    private static final int DIRECTORY_BITS = 01777;

    /** In this filesystem. */
    public Mkdir(Namespace ns) {
        this.ns = ns;
    }

    /**
     * Makes a directory of that name, pinned once.
     *
     * @param mode permission and sticky bits
     * @throws ext4.api.fs.ErrnoException as {@link Create}; EMLINK if the parent can't have one more subdirectory
     */
    public void mkdir(Credentials who, int parent, byte[] name, int mode, Attributes out) {
        int typed = FileMode.S_IFDIR | mode & DIRECTORY_BITS;
        new Creation(ns, who, parent, name, typed, new Dots(ns, who), out).run();
    }

    private record Dots(Namespace ns, Credentials who) implements Creation.Body {
        /** A block and its place in the map; a new directory's map has the depth of any other's root or less. */
        @Override
        public int credits(Inode parent) {
            return ns.engine().map().appendCredits(parent);
        }

        @Override
        public void fill(Handle handle, Inode parent, Inode fresh) {
            int type = ns.directories().format().fileType(FileMode.S_IFDIR);
            DirChange.init(handle, ns.open(fresh, who), parent.ino, type);
        }
    }
}
