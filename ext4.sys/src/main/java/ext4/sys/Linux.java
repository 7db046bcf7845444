// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

/** Error numbers of errno(3) that callers of {@link SystemCalls} act upon. */
public final class Linux {
    /** Operation not permitted. */
    public static final int EPERM = 1;
    /** No such file or directory. */
    public static final int ENOENT = 2;
    /** Interrupted by a signal. */
    public static final int EINTR = 4;
    /** No such device or address. */
    public static final int ENXIO = 6;
    /** Try again. */
    public static final int EAGAIN = 11;
    /** Permission denied. */
    public static final int EACCES = 13;
    /** In use. */
    public static final int EBUSY = 16;
    /** No such device. */
    public static final int ENODEV = 19;
    /** Invalid argument. */
    public static final int EINVAL = 22;
    /** The other end is gone. */
    public static final int EPIPE = 32;
    /** Not supported. */
    public static final int EOPNOTSUPP = 95;
    /** The connection was aborted. */
    public static final int ECONNABORTED = 103;
    /** Given up. */
    public static final int ECANCELED = 125;
    /** The connection is gone. */
    public static final int ENOTCONN = 107;

    private Linux() {}

    /** What an error number means, for messages. */
    public static String errorText(int errno) {
        return switch (errno) {
            case EPERM -> "operation not permitted";
            case ENOENT -> "no such file or directory";
            case EINTR -> "interrupted";
            case ENXIO -> "no such device or address";
            case EAGAIN -> "resource temporarily unavailable";
            case EACCES -> "permission denied";
            case EBUSY -> "device or resource busy";
            case ENODEV -> "no such device";
            case EINVAL -> "invalid argument";
            case EPIPE -> "the other end is gone";
            case EOPNOTSUPP -> "operation not supported";
            case ECONNABORTED -> "connection aborted";
            case ENOTCONN -> "not connected";
            default -> "error " + errno;
        };
    }
}
