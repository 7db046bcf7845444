// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.Errno;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A file of the host: an open descriptor, or a name in an open directory. By name, attributes are reached through the
 * directory's descriptor in /proc, for those calls that know no directory descriptor.
 */
final class HostGrip implements Grip {
    private final Host host;
    private final HostFolder folder;
    private final byte[] name;
    private final int fd;
    private final byte[] proc;

    /** An open file; {@code name} in {@code folder}, or the folder itself for null, is for messages. */
    HostGrip(Host host, HostFolder folder, byte[] name, int fd) {
        this.host = host;
        this.folder = folder;
        this.name = name;
        this.fd = fd;
        this.proc = null;
    }

    /** What {@code name} in {@code folder} is, not opened. */
    HostGrip(Host host, HostFolder folder, byte[] name) {
        this.host = host;
        this.folder = folder;
        this.name = name;
        this.fd = -1;
        byte[] directory = ("/proc/self/fd/" + folder.fd() + "/").getBytes(StandardCharsets.US_ASCII);
        proc = new byte[directory.length + name.length];
        System.arraycopy(directory, 0, proc, 0, directory.length);
        System.arraycopy(name, 0, proc, directory.length, name.length);
    }

    @Override
    public List<byte[]> xattrNames() throws IOException {
        List<byte[]> names = proc == null ? host.xattrs.list(fd) : host.xattrs.list(proc);
        if (names == null) {
            int errno = host.calls.errno();
            if (errno == Errno.EOPNOTSUPP.number() || errno == Errno.ENOSYS.number()) {
                return List.of();
            }
            throw Errors.ofHost(errno, folder.path(name));
        }
        return names;
    }

    @Override
    public byte[] xattr(byte[] attribute) throws IOException {
        byte[] value = proc == null ? host.xattrs.get(fd, attribute) : host.xattrs.get(proc, attribute);
        if (value == null) {
            int errno = host.calls.errno();
            if (errno != Errno.ENODATA.number() && errno != Errno.EOPNOTSUPP.number()) {
                throw Errors.ofHost(errno, folder.path(name));
            }
        }
        return value;
    }

    @Override
    public void setXattr(byte[] attribute, byte[] value) throws IOException {
        check(proc == null ? host.xattrs.set(fd, attribute, value) : host.xattrs.set(proc, attribute, value));
    }

    @Override
    public void removeXattr(byte[] attribute) throws IOException {
        check(proc == null ? host.xattrs.remove(fd, attribute) : host.xattrs.remove(proc, attribute));
    }

    @Override
    public boolean setOwner(int uid, int gid) throws IOException {
        int result = proc == null ? host.calls.chown(fd, uid, gid) : host.calls.chown(folder.fd(), name, uid, gid);
        if (result == -Errno.EPERM.number()) {
            return false;
        }
        check(result);
        return true;
    }

    @Override
    public void setPermissions(int permissions) throws IOException {
        check(proc == null ? host.calls.chmod(fd, permissions) : host.calls.chmod(proc, permissions));
    }

    @Override
    public void setTimes(Node like) throws IOException {
        check(
                proc == null
                        ? host.calls.setTimes(fd, like.atime(), like.atimeNanos(), like.mtime(), like.mtimeNanos())
                        : host.calls.setTimes(
                                folder.fd(), name, like.atime(), like.atimeNanos(), like.mtime(), like.mtimeNanos()));
    }

    private void check(int result) throws IOException {
        Host.check(result, folder, name);
    }
}
