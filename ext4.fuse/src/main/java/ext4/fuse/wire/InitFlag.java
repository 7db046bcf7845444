// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.wire;

/** Capabilities negotiated by INIT; bits from 32 up travel in flags2 and count only with {@link #INIT_EXT}. */
public final class InitFlag {
    /** Reads of one file may come at once. */
    public static final long ASYNC_READ = 1L;
    /** O_TRUNC comes with OPEN; must not be used where OPEN is not sent. */
    public static final long ATOMIC_O_TRUNC = 1L << 3;
    /** Writes of more than a page. */
    public static final long BIG_WRITES = 1L << 5;
    /** READDIRPLUS is answered. */
    public static final long DO_READDIRPLUS = 1L << 13;
    /** The kernel uses READDIRPLUS where it pays. */
    public static final long READDIRPLUS_AUTO = 1L << 14;
    /** Direct I/O of one request may come in parts at once. */
    public static final long ASYNC_DIO = 1L << 15;
    /** ENOSYS to OPEN means that no OPEN is needed. */
    public static final long NO_OPEN_SUPPORT = 1L << 17;
    /** Lookups and listings of one directory may come at once. */
    public static final long PARALLEL_DIROPS = 1L << 18;
    /** Init.MAX_PAGES counts. */
    public static final long MAX_PAGES = 1L << 22;
    /** Targets of symbolic links may be cached. */
    public static final long CACHE_SYMLINKS = 1L << 23;
    /** ENOSYS to OPENDIR means that no OPENDIR is needed. */
    public static final long NO_OPENDIR_SUPPORT = 1L << 24;
    /** The server clears set-id bits and security.capability on chown, truncate and write. */
    public static final long HANDLE_KILLPRIV_V2 = 1L << 28;
    /** flags2 counts. */
    public static final long INIT_EXT = 1L << 30;

    /** The kernel sends requests again that it was not answered, when it is asked to by {@link Notification#RESEND}. */
    public static final long HAS_RESEND = 1L << 39;
    /** Requests come by io_uring, once each processor has a queue. */
    public static final long OVER_IO_URING = 1L << 41;

    private InitFlag() {}
}
