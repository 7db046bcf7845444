// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.api.fs.Errno;

/** A call that ended with an error number; without a stack, as there are many. */
final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Of errno(3), positive. */
    final int errno;

    Refused(int errno) {
        super(null, null, false, false);
        this.errno = errno;
    }

    static Refused of(Errno errno) {
        return new Refused(errno.number());
    }

    /** The result of a system call, unless it is a negative error number. */
    static long unless(long result) {
        if (result < 0) {
            throw new Refused((int) -result);
        }
        return result;
    }

    /** The name of an error number. */
    static String name(int errno) {
        for (Errno known : Errno.values()) {
            if (known.number() == errno) {
                return known.name();
            }
        }
        return "errno " + errno;
    }

    @Override
    public String getMessage() {
        return name(errno);
    }
}
