// SPDX-License-Identifier: Apache-2.0
package ext4.format.xattr;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The name prefixes that an index byte stands for. Names on disk come without them. The two ACL names and richacl are
 * whole: the rest is empty. Indexes 5 (lustre), 9 (encryption context) and unknown ones have no name a user could give.
 */
public final class XattrName {
    public static final int USER = 1;
    public static final int ACL_ACCESS = 2;
    public static final int ACL_DEFAULT = 3;
    public static final int TRUSTED = 4;
    public static final int LUSTRE = 5;
    public static final int SECURITY = 6;
    public static final int SYSTEM = 7;
    public static final int RICHACL = 8;
    public static final int ENCRYPTION = 9;
    public static final int GNU = 10;

    /** Attribute {@code SYSTEM} + this name holds inline data and is not for users. */
    private static final byte[] INLINE_DATA = ascii("data");

    private static final byte[][] PREFIXES = {
        null,
        ascii("user."),
        ascii("system.posix_acl_access"),
        ascii("system.posix_acl_default"),
        ascii("trusted."),
        null,
        ascii("security."),
        ascii("system."),
        ascii("system.richacl"),
        null,
        ascii("gnu."),
    };

    /** Whole names come before the prefix that begins them. */
    private static final int[] SEARCH_ORDER = {USER, TRUSTED, SECURITY, ACL_ACCESS, ACL_DEFAULT, RICHACL, SYSTEM, GNU};

    private XattrName() {}

    private static byte[] ascii(String s) {
        return s.getBytes(StandardCharsets.US_ASCII);
    }

    /** The index for a full name, or 0 if no prefix fits (the caller's EOPNOTSUPP). */
    public static int index(byte[] fullName) {
        for (int index : SEARCH_ORDER) {
            byte[] prefix = PREFIXES[index];
            boolean whole = prefix[prefix.length - 1] != '.';
            if (fullName.length >= prefix.length
                    && (!whole || fullName.length == prefix.length)
                    && Arrays.equals(fullName, 0, prefix.length, prefix, 0, prefix.length)) {
                return index;
            }
        }
        return 0;
    }

    /** The part of a full name that is stored with its index. May be empty. */
    public static byte[] suffix(byte[] fullName, int index) {
        return Arrays.copyOfRange(fullName, PREFIXES[index].length, fullName.length);
    }

    /** The stored name of "system.data", where inline data stands. */
    public static byte[] inlineData() {
        return INLINE_DATA.clone();
    }

    /** Whether users can name an attribute: its index has a prefix, and it isn't inline data. */
    public static boolean isNamed(int index, byte[] name) {
        return index < PREFIXES.length
                && PREFIXES[index] != null
                && !(index == SYSTEM && Arrays.equals(name, INLINE_DATA));
    }

    /** The full name of an attribute that {@link #isNamed}. */
    public static byte[] fullName(int index, byte[] name) {
        byte[] prefix = PREFIXES[index];
        byte[] full = Arrays.copyOf(prefix, prefix.length + name.length);
        System.arraycopy(name, 0, full, prefix.length, name.length);
        return full;
    }
}
