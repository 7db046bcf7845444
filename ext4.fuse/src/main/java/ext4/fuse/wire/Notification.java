// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.wire;

/** What a server tells the kernel unasked: a reply's header with a code for an error number, and no request's number. */
public final class Notification {
    /** Send again what was read and not answered; such a request's number has a bit more, which its reply repeats. */
    public static final int RESEND = 7;

    private Notification() {}
}
