// SPDX-License-Identifier: Apache-2.0
package ext4.core.xattr;

import ext4.api.fs.CorruptException;
import ext4.format.xattr.XattrArea;
import ext4.format.xattr.XattrEntry;
import ext4.format.xattr.XattrList;
import ext4.format.xattr.XattrName;
import java.util.List;

/** Reads from a list that was checked. */
final class Values {
    private Values() {}

    /** The value, null if it isn't there. */
    static byte[] get(XattrArea area, byte[] b, int index, byte[] name) {
        int at = XattrList.find(area, b, index, name);
        if (at < 0) {
            return null;
        }
        if (XattrEntry.valueInum(b, at) != 0) {
            throw new CorruptException(
                    "xattr entry", -1, "e_value_inum", "" + XattrEntry.valueInum(b, at), "0 without feature ea_inode");
        }
        return XattrList.value(area, b, at);
    }

    /** Adds the full names that users may see. */
    static void names(XattrArea area, byte[] b, List<byte[]> out) {
        for (int at = XattrList.first(area, b); at >= 0; at = XattrList.next(area, b, at)) {
            byte[] name = XattrEntry.name(b, at);
            if (XattrName.isNamed(XattrEntry.nameIndex(b, at), name)) {
                out.add(XattrName.fullName(XattrEntry.nameIndex(b, at), name));
            }
        }
    }
}
