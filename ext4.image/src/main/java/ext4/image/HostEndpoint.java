// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.Errno;
import ext4.sys.FileStatus;
import ext4.sys.TreeCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.util.List;

/** A path of the host. */
final class HostEndpoint extends Endpoint {
    private static final byte[] HERE = {'.'};
    private static final byte[] ROOT = {'/'};

    HostEndpoint(byte[] path) {
        super(path);
    }

    @Override
    public FileType type(LinkOption... options) throws IOException {
        boolean follow = !List.of(options).contains(LinkOption.NOFOLLOW_LINKS);
        try (TreeCalls calls = new TreeCalls()) {
            FileStatus status =
                    follow ? calls.statFollowing(TreeCalls.AT_FDCWD, path) : calls.stat(TreeCalls.AT_FDCWD, path);
            if (status != null) {
                return FileType.of(status.mode());
            }
            if (calls.errno() == Errno.ENOENT.number()) {
                return null;
            }
            throw Errors.ofHost(calls.errno(), toString());
        }
    }

    @Override
    public Endpoint child(String name) {
        return new HostEndpoint(PathBytes.join(path, ByteNames.encode(name)));
    }

    @Override
    public String toString() {
        return ByteNames.decode(path);
    }

    @Override
    Opened open(Host host, boolean follow) throws IOException {
        byte[] name = PathBytes.lastName(path);
        if (name == null) {
            byte[] directory = PathBytes.strip(path);
            return new Opened(
                    HostFolder.open(host, directory.length == 0 && path.length > 0 ? ROOT : directory),
                    null,
                    List.of());
        }
        byte[] parent = PathBytes.parent(path);
        if (follow || PathBytes.endsInSlash(path)) {
            FileStatus status = host.calls.stat(TreeCalls.AT_FDCWD, PathBytes.strip(path));
            if (status != null && FileType.of(status.mode()) == FileType.SYMLINK) {
                byte[] real = real(host);
                if (real != null) {
                    return new HostEndpoint(real).open(host, false);
                }
            }
        }
        HostFolder folder = HostFolder.open(host, parent.length == 0 ? HERE : parent, parent);
        return new Opened(folder, name, List.of());
    }

    /** The path that the symbolic links of this one end at; null if that is nothing. */
    private byte[] real(Host host) throws IOException {
        int fd = host.calls.open(TreeCalls.AT_FDCWD, path, TreeCalls.O_PATH, 0);
        if (fd == -Errno.ENOENT.number()) {
            return null;
        }
        if (fd < 0) {
            throw Errors.ofHost(-fd, toString());
        }
        try {
            byte[] link = ("/proc/self/fd/" + fd).getBytes(StandardCharsets.US_ASCII);
            return host.calls.readlink(TreeCalls.AT_FDCWD, link);
        } finally {
            host.calls.close(fd);
        }
    }
}
