// SPDX-License-Identifier: Apache-2.0
package ext4.format.xattr;

/**
 * The correspondence of ACLs and mode bits, acl(5). Values are on-disk ones that {@link AclCodec#validate} accepted,
 * with at least one entry; modes are the low nine bits of i_mode.
 */
public final class AclMode {
    private AclMode() {}

    /** Whether the mode alone says all: neither named entries nor a mask. Then no ACL need be stored. */
    public static boolean isMinimal(byte[] acl) {
        for (int at = AclCodec.HEADER_SIZE; at < acl.length; at += AclCodec.diskSize(AclCodec.tag(acl, at))) {
            int tag = AclCodec.tag(acl, at);
            if (tag != AclCodec.USER_OBJ && tag != AclCodec.GROUP_OBJ && tag != AclCodec.OTHER) {
                return false;
            }
        }
        return true;
    }

    /** The nine mode bits that the ACL means: owner, mask (else owning group), others. */
    public static int mode(byte[] acl) {
        int mode = 0;
        boolean masked = hasMask(acl);
        for (int at = AclCodec.HEADER_SIZE; at < acl.length; at += AclCodec.diskSize(AclCodec.tag(acl, at))) {
            int shift = shift(AclCodec.tag(acl, at), masked);
            if (shift >= 0) {
                mode |= (AclCodec.perm(acl, at) & 7) << shift;
            }
        }
        return mode;
    }

    /** Gives the ACL the permissions of a mode, in place: what chmod does to an access ACL. */
    public static void setMode(byte[] acl, int mode) {
        boolean masked = hasMask(acl);
        for (int at = AclCodec.HEADER_SIZE; at < acl.length; at += AclCodec.diskSize(AclCodec.tag(acl, at))) {
            int shift = shift(AclCodec.tag(acl, at), masked);
            if (shift >= 0) {
                AclCodec.setPerm(acl, at, mode >> shift & 7);
            }
        }
    }

    /**
     * Makes, in place, the access ACL of a new file from a copy of its directory's default ACL.
     *
     * @param mode the mode that was asked for; bits above the nine stay
     * @return the mode that the file gets. If {@link #isMinimal} then, the mode suffices
     */
    public static int inherit(byte[] acl, int mode) {
        boolean masked = hasMask(acl);
        int result = mode;
        for (int at = AclCodec.HEADER_SIZE; at < acl.length; at += AclCodec.diskSize(AclCodec.tag(acl, at))) {
            int shift = shift(AclCodec.tag(acl, at), masked);
            if (shift >= 0) {
                int perm = AclCodec.perm(acl, at) & mode >> shift & 7;
                AclCodec.setPerm(acl, at, perm);
                result = result & ~(7 << shift) | perm << shift;
            }
        }
        return result;
    }

    private static boolean hasMask(byte[] acl) {
        for (int at = AclCodec.HEADER_SIZE; at < acl.length; at += AclCodec.diskSize(AclCodec.tag(acl, at))) {
            if (AclCodec.tag(acl, at) == AclCodec.MASK) {
                return true;
            }
        }
        return false;
    }

    /** Where a tag's permissions stand in the mode, or -1: with a mask, it is what the group bits mean. */
    private static int shift(int tag, boolean masked) {
        return switch (tag) {
            case AclCodec.USER_OBJ -> 6;
            case AclCodec.GROUP_OBJ -> masked ? -1 : 3;
            case AclCodec.MASK -> 3;
            case AclCodec.OTHER -> 0;
            default -> -1;
        };
    }
}
