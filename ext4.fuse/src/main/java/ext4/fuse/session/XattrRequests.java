// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.session;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import ext4.fuse.wire.Replies.GetXattrOut;
import ext4.fuse.wire.Requests.GetXattr;
import ext4.fuse.wire.Requests.SetXattr;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Extended attributes. A request with no room asks only how much is needed. */
final class XattrRequests {
    private static final byte[] TRUSTED = "trusted.".getBytes(StandardCharsets.US_ASCII);

    private final FileSystem fs;

    XattrRequests(FileSystem fs) {
        this.fs = fs;
    }

    void getxattr(Request q, Reply r) {
        byte[] value = fs.getxattr(q.ino(), q.string(GetXattr.SIZE));
        if (answersSize(q, r, value.length)) {
            return;
        }
        r.data(0, value, 0, value.length).body(value.length);
    }

    void listxattr(Request q, Reply r) {
        List<byte[]> names = visible(q, fs.listxattr(q.ino()));
        int total = 0;
        for (byte[] name : names) {
            total += name.length + 1;
        }
        if (answersSize(q, r, total)) {
            return;
        }
        int at = 0;
        for (byte[] name : names) {
            r.data(at, name, 0, name.length).zero(at + name.length, 1);
            at += name.length + 1;
        }
        r.body(total);
    }

    /** Only the superuser sees that there are trusted attributes (xattr(7)); reading one the kernel refuses by itself. */
    private static List<byte[]> visible(Request q, List<byte[]> names) {
        if (q.who().uid() == 0) {
            return names;
        }
        return names.stream().filter(name -> !startsWith(name, TRUSTED)).toList();
    }

    private static boolean startsWith(byte[] name, byte[] prefix) {
        return name.length >= prefix.length && Arrays.equals(name, 0, prefix.length, prefix, 0, prefix.length);
    }

    private static boolean answersSize(Request q, Reply r, int needed) {
        int room = q.int32(GetXattr.ROOM);
        if (room == 0) {
            r.int64(GetXattrOut.NEEDED, needed).body(GetXattrOut.SIZE);
            return true;
        }
        if (Integer.compareUnsigned(room, needed) < 0 || needed > r.capacity()) {
            throw ErrnoException.of(Errno.ERANGE);
        }
        return false;
    }

    void setxattr(Request q, Reply r) {
        int value = SetXattr.SIZE + q.stringLength(SetXattr.SIZE) + 1;
        fs.setxattr(
                q.who(),
                q.ino(),
                q.string(SetXattr.SIZE),
                q.data(value, q.int32(SetXattr.VALUE_SIZE)),
                q.int32(SetXattr.FLAGS));
    }

    void removexattr(Request q, Reply r) {
        fs.removexattr(q.who(), q.ino(), q.string(0));
    }
}
