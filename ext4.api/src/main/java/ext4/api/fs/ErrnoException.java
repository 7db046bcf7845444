// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

/** The ordinary outcome of a system call, such as ENOENT. One shared instance an errno, without a stack trace. */
public final class ErrnoException extends Ext4Exception {
    private static final long serialVersionUID = 1L;
    private static final ErrnoException[] SHARED = new ErrnoException[Errno.values().length];

    static {
        for (Errno errno : Errno.values()) {
            SHARED[errno.ordinal()] = new ErrnoException(errno);
        }
    }

    private final Errno errno;

    private ErrnoException(Errno errno) {
        super(errno.text(), null, false);
        this.errno = errno;
    }

    /** The shared instance for {@code errno}; allocates nothing. */
    public static ErrnoException of(Errno errno) {
        return SHARED[errno.ordinal()];
    }

    @Override
    public Errno errno() {
        return errno;
    }
}
