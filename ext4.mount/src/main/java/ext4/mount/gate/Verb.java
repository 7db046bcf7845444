// SPDX-License-Identifier: Apache-2.0
package ext4.mount.gate;

import java.util.Locale;

/** The table of verbs: what each needs. A setattr that changes the size is a row of its own. */
public enum Verb {
    LOOKUP(Need.READ),
    PIN(Need.READ),
    GETATTR(Need.READ),
    READLINK(Need.READ),
    READ(Need.READ),
    READDIR(Need.READ),
    READDIRPLUS(Need.READ),
    GETXATTR(Need.READ),
    LISTXATTR(Need.READ),
    SEEK(Need.READ),
    STATFS(Need.READ),

    SETATTR(Need.CHANGE),
    WRITE(Need.CHANGE),
    SETXATTR(Need.CHANGE),
    REMOVEXATTR(Need.CHANGE),
    FALLOCATE(Need.CHANGE),
    FSYNC(Need.CHANGE),

    /** setattr with a size: blocks are given back over several transactions. */
    TRUNCATE(Need.ORPHAN),
    /** The inode goes onto the list if its name can't be entered, as that of the next three. */
    CREATE(Need.ORPHAN),
    MKNOD(Need.ORPHAN),
    MKDIR(Need.ORPHAN),
    SYMLINK(Need.ORPHAN),
    /** The file has no name until it is linked. */
    TMPFILE(Need.ORPHAN),
    /** May name a file made by tmpfile. */
    LINK(Need.ORPHAN),
    UNLINK(Need.ORPHAN),
    RMDIR(Need.ORPHAN),
    /** May replace, and so delete, its target. */
    RENAME(Need.ORPHAN),
    /** May be the last use of an unlinked inode; never waits, see {@link DeferredForgets}. */
    FORGET(Need.ORPHAN),
    /** Waits for evictions, which need the list. */
    SYNCFS(Need.ORPHAN);

    private final Need need;
    private final String text = name().toLowerCase(Locale.ROOT);

    Verb(Need need) {
        this.need = need;
    }

    /** What it needs. */
    public Need need() {
        return need;
    }

    /** The name in messages. */
    public String text() {
        return text;
    }
}
