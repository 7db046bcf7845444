// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.api.fs.DeviceException;
import ext4.api.fs.FileSystem;
import ext4.api.fs.MountPoint;
import ext4.api.fs.Transport;
import ext4.api.fs.TransportSession;
import ext4.fuse.channel.Descriptors;
import ext4.fuse.channel.ReaderPool;
import ext4.fuse.session.Dispatcher;
import ext4.fuse.session.Negotiation;
import ext4.sys.Epoll;
import ext4.sys.Linux;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.osgi.service.component.annotations.Component;

/** Mounts through {@code /dev/fuse}, read and written on cloned descriptors. */
@Component(service = Transport.class, property = Transport.NAME + "=fuse")
public final class FuseTransport implements Transport {
    private static final int LEAST_READERS = 4;
    private static final long READABLE = 1;

    @Override
    public void check(MountPoint where) {
        NativeUse.check();
        Mounts.checked(where.directory());
        try (Arena arena = Arena.ofConfined()) {
            Mounts.check(new SystemCalls(arena), where);
        }
    }

    @Override
    public TransportSession mount(MountPoint where, FileSystem fs) {
        String directory = Mounts.checked(where.directory());
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            return serve(arena, calls, Mounts.attach(calls, where, directory), directory, fs);
        }
    }

    private static TransportSession serve(
            Arena arena, SystemCalls calls, Attachment attachment, String directory, FileSystem fs) {
        int fd = attachment.descriptor();
        boolean handedOver = false;
        try {
            Negotiation negotiation = negotiate(arena, calls, fd);
            Dispatcher dispatcher = new Dispatcher(fs, negotiation);
            int readers = Math.max(LEAST_READERS, 2 * Runtime.getRuntime().availableProcessors());
            String name = "ext4-fuse-" + Path.of(directory).getFileName();
            handedOver = true;
            return new FuseSession(
                    directory, attachment, new ReaderPool(calls, fd, readers, name, dispatcher), dispatcher);
        } catch (RuntimeException e) {
            if (!handedOver) {
                calls.close(fd);
            }
            attachment.unmount(calls, true);
            throw e;
        }
    }

    private static Negotiation negotiate(Arena arena, SystemCalls calls, int fd) {
        MemorySegment request = arena.allocate(Descriptors.REQUEST_BYTES);
        MemorySegment reply = arena.allocate(Descriptors.REPLY_BYTES);
        Negotiation negotiation = new Negotiation();
        try (Epoll epoll = new Epoll(calls, arena)) {
            epoll.add(fd, false, READABLE);
            while (!negotiation.done()) {
                long count = calls.read(fd, request, Descriptors.REQUEST_BYTES);
                if (count > 0) {
                    int length = negotiation.answer(request, (int) count, reply);
                    long written = calls.write(fd, reply, length);
                    if (written < 0) {
                        throw new DeviceException("/dev/fuse: reply to INIT: " + Linux.errorText((int) -written));
                    }
                } else if (count == -Linux.EAGAIN) {
                    epoll.await();
                } else if (count != -Linux.EINTR) {
                    throw new DeviceException("/dev/fuse: read of INIT: " + Linux.errorText((int) -count));
                }
            }
        }
        return negotiation;
    }
}
