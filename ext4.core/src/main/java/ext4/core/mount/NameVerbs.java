// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.core.file.Engine;
import ext4.core.name.Create;
import ext4.core.name.Link;
import ext4.core.name.Lookup;
import ext4.core.name.Mkdir;
import ext4.core.name.Mknod;
import ext4.core.name.Namespace;
import ext4.core.name.Readdir;
import ext4.core.name.Readlink;
import ext4.core.name.Rename;
import ext4.core.name.Rmdir;
import ext4.core.name.Symlink;
import ext4.core.name.Tmpfile;
import ext4.core.name.Unlink;
import ext4.core.xattr.GetXattr;
import ext4.core.xattr.SetXattr;
import ext4.core.xattr.Xattrs;

/** The verbs on names and attributes, put together. */
final class NameVerbs {
    final Lookup lookup;
    final Create create;
    final Mknod mknod;
    final Mkdir mkdir;
    final Symlink symlink;
    final Tmpfile tmpfile;
    final Link link;
    final Unlink unlink;
    final Rmdir rmdir;
    final Rename rename;
    final Readlink readlink;
    final Readdir readdir;
    final GetXattr getXattr;
    final SetXattr setXattr;

    NameVerbs(Engine engine, Xattrs xattrs) {
        Namespace ns = new Namespace(engine, xattrs);
        lookup = new Lookup(ns);
        create = new Create(ns);
        mknod = new Mknod(ns);
        mkdir = new Mkdir(ns);
        symlink = new Symlink(ns);
        tmpfile = new Tmpfile(ns);
        link = new Link(ns);
        unlink = new Unlink(ns);
        rmdir = new Rmdir(ns);
        rename = new Rename(ns);
        readlink = new Readlink(ns);
        readdir = new Readdir(ns);
        getXattr = new GetXattr(engine, xattrs);
        setXattr = new SetXattr(engine, xattrs);
    }
}
