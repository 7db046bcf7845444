// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.sys.TreeCalls;
import ext4.sys.XattrCalls;
import java.io.IOException;

/** The system calls of one copy, by one thread. */
final class Host implements AutoCloseable {
    final TreeCalls calls = new TreeCalls();
    final XattrCalls xattrs = new XattrCalls(calls);

    /** The result unless it is a negative error number. */
    static int check(int result, Folder folder, byte[] name) throws IOException {
        if (result < 0) {
            throw Errors.ofHost(-result, folder.path(name));
        }
        return result;
    }

    @Override
    public void close() {
        xattrs.close();
        calls.close();
    }
}
