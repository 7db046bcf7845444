// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.api.fs.Errno;

/** What copy_file_range(2) checks before a filesystem comes into it. */
final class Copies {
    private static final int MOST = 1 << 20;

    private Copies() {}

    /**
     * How many bytes are copied.
     *
     * @throws Refused as the man page lists
     */
    static long count(boolean same, long size, long from, long to, long length, int blockSize) {
        if (Long.compareUnsigned(from + length, from) < 0 || Long.compareUnsigned(to + length, to) < 0) {
            throw Refused.of(Errno.EOVERFLOW);
        }
        long count = from >= size ? 0 : Math.min(length, size - from);
        long max = 0xFFFF_FFFFL * blockSize;
        if (to >= max) {
            throw Refused.of(Errno.EFBIG);
        }
        count = Math.min(count, max - to);
        if (same && to + count > from && to < from + count) {
            throw Refused.of(Errno.EINVAL);
        }
        return Math.min(count, MOST);
    }
}
