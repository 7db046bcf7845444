// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.session;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.FileSystem;
import ext4.fuse.wire.Requests.SetAttr;

/** Requests for and changes of attributes. */
final class AttributeRequests {
    private final FileSystem fs;
    private final AttributeEncoder encoder;

    AttributeRequests(FileSystem fs, AttributeEncoder encoder) {
        this.fs = fs;
        this.encoder = encoder;
    }

    void getattr(Request q, Reply r) {
        fs.getattr(q.ino(), r.attributes);
        encoder.attributes(r, r.attributes);
    }

    void statx(Request q, Reply r) {
        fs.getattr(q.ino(), r.attributes);
        encoder.statx(r, r.attributes);
    }

    void setattr(Request q, Reply r) {
        AttributeChange change = q.change;
        int asked = q.int32(SetAttr.VALID);
        change.valid = owners(asked) | times(asked);
        change.mode = q.int32(SetAttr.MODE) & 0xFFF;
        change.uid = q.int32(SetAttr.UID);
        change.gid = q.int32(SetAttr.GID);
        change.size = q.int64(SetAttr.FILE_SIZE);
        change.atime = q.int64(SetAttr.ATIME);
        change.atimeNanos = q.int32(SetAttr.ATIMENSEC);
        change.mtime = q.int64(SetAttr.MTIME);
        change.mtimeNanos = q.int32(SetAttr.MTIMENSEC);
        change.ctime = q.int64(SetAttr.CTIME);
        change.ctimeNanos = q.int32(SetAttr.CTIMENSEC);
        fs.setattr(q.who(), q.ino(), change, r.attributes);
        encoder.attributes(r, r.attributes);
    }

    private static int owners(int asked) {
        int valid = 0;
        if ((asked & SetAttr.FATTR_MODE) != 0) {
            valid |= AttributeChange.MODE;
        }
        if ((asked & SetAttr.FATTR_UID) != 0) {
            valid |= AttributeChange.UID;
        }
        if ((asked & SetAttr.FATTR_GID) != 0) {
            valid |= AttributeChange.GID;
        }
        if ((asked & SetAttr.FATTR_SIZE) != 0) {
            valid |= AttributeChange.SIZE;
        }
        // HANDLE_KILLPRIV_V2: a change of owner always clears them, a truncation when the kernel says so
        int clearing = SetAttr.FATTR_KILL_SUIDGID | SetAttr.FATTR_UID | SetAttr.FATTR_GID;
        return (asked & clearing) == 0 ? valid : valid | AttributeChange.KILL_PRIVILEGES;
    }

    private static int times(int asked) {
        int valid = 0;
        if ((asked & SetAttr.FATTR_ATIME_NOW) != 0) {
            valid |= AttributeChange.ATIME_NOW;
        } else if ((asked & SetAttr.FATTR_ATIME) != 0) {
            valid |= AttributeChange.ATIME;
        }
        if ((asked & SetAttr.FATTR_MTIME_NOW) != 0) {
            valid |= AttributeChange.MTIME_NOW;
        } else if ((asked & SetAttr.FATTR_MTIME) != 0) {
            valid |= AttributeChange.MTIME;
        }
        return (asked & SetAttr.FATTR_CTIME) == 0 ? valid : valid | AttributeChange.CTIME;
    }
}
