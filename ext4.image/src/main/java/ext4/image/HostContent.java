// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import ext4.api.fs.Errno;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The bytes of an open file of the host. */
final class HostContent implements Content {
    private final Host host;
    private final HostFolder folder;
    private final byte[] name;
    private final int fd;

    HostContent(Host host, HostFolder folder, byte[] name, int fd) {
        this.host = host;
        this.folder = folder;
        this.name = name;
        this.fd = fd;
    }

    @Override
    public Grip grip() {
        return new HostGrip(host, folder, name, fd);
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        return Host.check(host.calls.read(fd, dst, offset), folder, name);
    }

    @Override
    public void write(ByteBuffer src, long offset) throws IOException {
        for (long at = offset; src.hasRemaining(); ) {
            at += Host.check(host.calls.write(fd, src, at), folder, name);
        }
    }

    @Override
    public long nextData(long offset) throws IOException {
        return found(host.calls.seekData(fd, offset), offset);
    }

    @Override
    public long nextHole(long offset) throws IOException {
        return found(host.calls.seekHole(fd, offset), Long.MAX_VALUE);
    }

    /** Where holes aren't known (EINVAL) all is data. */
    private long found(long result, long allData) throws IOException {
        if (result == -Errno.ENXIO.number()) {
            return -1;
        }
        if (result == -Errno.EINVAL.number()) {
            return allData;
        }
        if (result < 0) {
            throw Errors.ofHost((int) -result, folder.path(name));
        }
        return result;
    }

    @Override
    public void setSize(long size) throws IOException {
        Host.check(host.calls.setSize(fd, size), folder, name);
    }

    @Override
    public void close() {
        host.calls.close(fd);
    }
}
