// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.core.dir.DirChange;

/** Whether a rename may be, with everything locked: what rename(2) lists under ERRORS. */
final class RenameCheck {
    private final Namespace ns;
    private final Entry from;
    private final Entry to;
    private final boolean exchange;

    RenameCheck(Namespace ns, Entry from, Entry to, boolean exchange) {
        this.ns = ns;
        this.from = from;
        this.to = to;
        this.exchange = exchange;
    }

    /** What exists. */
    void names(boolean noReplace) {
        if (!from.present || exchange && !to.present) {
            throw ErrnoException.of(Errno.ENOENT);
        }
        if (noReplace && to.present) {
            throw ErrnoException.of(Errno.EEXIST);
        }
    }

    /** Whether a directory would get another parent, or be replaced from elsewhere. */
    boolean changesShape() {
        return from.directory != to.directory && (from.child.isDirectory() || to.present && to.child.isDirectory());
    }

    /** No directory may move below itself. */
    void shape(Ancestors ofOld, Ancestors ofNew) {
        if (from.child.isDirectory() && ofNew.contains(from.child.ino)) {
            throw ErrnoException.of(Errno.EINVAL);
        }
        if (to.present && to.child.isDirectory() && ofOld.contains(to.child.ino)) {
            throw ErrnoException.of(exchange ? Errno.EINVAL : Errno.ENOTEMPTY);
        }
    }

    /** Flags of chattr(1), and what may replace what. */
    void types() {
        Namespace.checkMayRemove(from.directory, from.child);
        if (!to.present) {
            Namespace.checkMayAdd(to.directory);
            return;
        }
        Namespace.checkMayRemove(to.directory, to.child);
        if (exchange) {
            return;
        }
        if (from.child.isDirectory()) {
            if (!to.child.isDirectory()) {
                throw ErrnoException.of(Errno.ENOTDIR);
            }
            if (!DirChange.isEmpty(ns.directories().open(to.child))) {
                throw ErrnoException.of(Errno.ENOTEMPTY);
            }
        } else if (to.child.isDirectory()) {
            throw ErrnoException.of(Errno.EISDIR);
        }
    }

    /** EMLINK where a directory gets one more subdirectory than it can have. */
    void linkCounts() {
        if (from.directory == to.directory) {
            return;
        }
        boolean toIsDirectory = to.present && to.child.isDirectory();
        if (from.child.isDirectory() && !toIsDirectory) {
            Links.checkSubdirectory(to.directory, ns.volume().superblock());
        }
        if (exchange && toIsDirectory && !from.child.isDirectory()) {
            Links.checkSubdirectory(from.directory, ns.volume().superblock());
        }
    }
}
