// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.core.dir.DirFile;
import ext4.core.dir.DirLookup;
import ext4.core.inode.Inode;

/** A name in a directory that a verb works on. What is not given is filled in when everything is locked. */
final class Entry {
    final int directoryIno;
    final byte[] name;
    final DirLookup place = new DirLookup();

    /** The directory, locked. */
    Inode directory;
    /** The directory's blocks. */
    DirFile file;
    /** Whether the name exists. */
    boolean present;
    /** What the name stands for, locked; null if it doesn't exist. */
    Inode child;
    /** The verb took the last link of the child, which is to be freed once all locks are released. */
    boolean unlinked;

    Entry(int directoryIno, byte[] name) {
        this.directoryIno = directoryIno;
        this.name = name;
    }
}
