// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.format.inode.FileMode;

/** open(2) with O_CREAT and O_EXCL. */
public final class Create {
    private final Namespace ns;

    /** In this filesystem. */
    public Create(Namespace ns) {
        this.ns = ns;
    }

    /**
     * Makes a regular file of that name, pinned once.
     *
     * @param mode permission bits
     * @throws ext4.api.fs.ErrnoException EEXIST, ENOENT in a removed directory, ENOTDIR, ENAMETOOLONG, ENOSPC, EROFS, EPERM in
     *     an immutable directory
     */
    public void create(Credentials who, int parent, byte[] name, int mode, Attributes out) {
        int typed = FileMode.S_IFREG | mode & FileMode.PERMISSIONS;
        new Creation(ns, who, parent, name, typed, Creation.EMPTY, out).run();
    }
}
