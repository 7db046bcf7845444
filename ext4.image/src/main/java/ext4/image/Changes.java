// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/** Changes of attributes by inode. Called inside the door. */
final class Changes {
    private Changes() {}

    static void setSize(Session session, int ino, long size) {
        AttributeChange change = new AttributeChange();
        change.valid = AttributeChange.SIZE;
        change.size = size;
        apply(session, ino, change);
    }

    static void setMode(Session session, int ino, int permissions) {
        AttributeChange change = new AttributeChange();
        change.valid = AttributeChange.MODE;
        change.mode = permissions;
        apply(session, ino, change);
    }

    static void setOwner(Session session, int ino, int uid, int gid) {
        AttributeChange change = new AttributeChange();
        change.valid = AttributeChange.UID | AttributeChange.GID | AttributeChange.KILL_PRIVILEGES;
        change.uid = uid;
        change.gid = gid;
        apply(session, ino, change);
    }

    /** Null leaves a time as it is. */
    static void setTimes(Session session, int ino, FileTime access, FileTime modification) {
        AttributeChange change = new AttributeChange();
        if (access != null) {
            Instant at = access.toInstant();
            change.valid |= AttributeChange.ATIME;
            change.atime = at.getEpochSecond();
            change.atimeNanos = at.getNano();
        }
        if (modification != null) {
            Instant at = modification.toInstant();
            change.valid |= AttributeChange.MTIME;
            change.mtime = at.getEpochSecond();
            change.mtimeNanos = at.getNano();
        }
        if (change.valid != 0) {
            apply(session, ino, change);
        }
    }

    private static void apply(Session session, int ino, AttributeChange change) {
        session.fs.setattr(session.who, ino, change, new Attributes());
    }
}
