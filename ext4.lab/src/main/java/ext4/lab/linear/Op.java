// SPDX-License-Identifier: Apache-2.0
package ext4.lab.linear;

import ext4.api.fs.Errno;
import java.util.List;

/** One call and what came of it. Filled in by the thread that made it. */
final class Op {
    /** What was called. */
    enum Kind {
        CREATE,
        MKDIR,
        LINK,
        UNLINK,
        RMDIR,
        RENAME,
        LOOKUP,
        READDIR,
        STAT
    }

    final Kind kind;
    /** The directory, or the inode of STAT. */
    final int parent;

    final String name;
    /** The other directory of RENAME; the inode of LINK. */
    final int other;

    final String newName;
    /** Of RENAME. */
    final int flags;

    final int thread;

    /** Null if it succeeded. */
    Errno error;
    /** What it named. */
    int ino;
    /** Links that it told; -1 if it told none. */
    int links = -1;
    /** What READDIR listed, {@code name=ino}, sorted. */
    List<String> listed = List.of();
    /** A tick of the common clock before it was called. */
    long called;
    /** One after it returned. */
    long returned;

    Op(Kind kind, int thread, int parent, String name, int other, String newName, int flags) {
        this.kind = kind;
        this.thread = thread;
        this.parent = parent;
        this.name = name;
        this.other = other;
        this.newName = newName;
        this.flags = flags;
    }

    @Override
    public String toString() {
        String arguments = switch (kind) {
            case STAT -> "(" + parent + ")";
            case READDIR -> "(" + parent + ")";
            case LINK -> "(" + other + ", " + parent + "/" + name + ")";
            case RENAME ->
                "(" + parent + "/" + name + ", " + other + "/" + newName + (flags == 0 ? "" : ", " + flags) + ")";
            default -> "(" + parent + "/" + name + ")";
        };
        String result = error != null
                ? error.name()
                : switch (kind) {
                    case CREATE, MKDIR, LOOKUP -> "inode " + ino;
                    case STAT, LINK -> links + " links";
                    case READDIR -> listed.toString();
                    default -> "done";
                };
        return called + ".." + returned + " thread " + thread + " " + kind + arguments + " = " + result;
    }
}
