// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import java.io.IOException;
import java.util.List;

/** A file on one side of a copy whose attributes are read and set; a symbolic link itself. */
interface Grip {
    /** Full names of its extended attributes; none where there can be none. */
    List<byte[]> xattrNames() throws IOException;

    /** A value; null if it is gone. */
    byte[] xattr(byte[] name) throws IOException;

    void setXattr(byte[] name, byte[] value) throws IOException;

    void removeXattr(byte[] name) throws IOException;

    /** Whether it may be given away; false if that takes the superuser. */
    boolean setOwner(int uid, int gid) throws IOException;

    void setPermissions(int permissions) throws IOException;

    /** Access and modification time of {@code like}. */
    void setTimes(Node like) throws IOException;
}
