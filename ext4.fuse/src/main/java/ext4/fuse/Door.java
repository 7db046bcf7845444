// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.api.fs.DeviceException;
import ext4.api.fs.FileSystem;
import ext4.api.fs.MountPoint;
import ext4.api.fs.TransportSession;
import ext4.api.fs.TransportState;
import ext4.fuse.channel.Descriptors;
import ext4.fuse.channel.ReaderPool;
import ext4.fuse.channel.Server;
import ext4.fuse.ring.RingPool;
import ext4.fuse.session.Dispatcher;
import ext4.fuse.session.Negotiation;
import ext4.sys.Epoll;
import ext4.sys.Linux;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Mounts, agrees with the kernel, and starts the threads that serve: what both transports have in common. */
final class Door {
    private static final Logger LOG = LoggerFactory.getLogger(Door.class);
    private static final int LEAST_READERS = 4;
    private static final int SPARES = 16;
    private static final long READABLE = 1;

    private final Arena arena;
    private final SystemCalls calls;
    private final String directory;
    private final String threadName;
    private final FileSystem fs;

    private Door(Arena arena, String directory, FileSystem fs) {
        this.arena = arena;
        calls = new SystemCalls(arena);
        this.directory = directory;
        threadName = threadName(directory);
        this.fs = fs;
    }

    private static String threadName(String directory) {
        return "ext4-fuse-" + Path.of(directory).getFileName();
    }

    /** As {@link ext4.api.fs.Transport#check}. */
    static void check(MountPoint where) {
        NativeUse.check();
        Mounts.checked(where.directory());
        try (Arena arena = Arena.ofConfined()) {
            Mounts.check(new SystemCalls(arena), where);
        }
    }

    /**
     * As {@link ext4.api.fs.Transport#mount}.
     *
     * @param overRing whether requests are to come over io_uring; where the kernel does not do that after all they come
     *     through reads
     */
    static TransportSession open(MountPoint where, FileSystem fs, boolean overRing) {
        String directory = Mounts.checked(where.directory());
        Attachment attachment;
        try (Arena arena = Arena.ofConfined()) {
            attachment = Mounts.attach(new SystemCalls(arena), where, directory);
        }
        return serve(attachment, fs, overRing);
    }

    /** Serves a new connection that is at its mount point; on a throw it is taken away again. */
    static TransportSession serve(Attachment attachment, FileSystem fs, boolean overRing) {
        try (Arena arena = Arena.ofConfined()) {
            return new Door(arena, attachment.directory(), fs).serve(attachment, overRing);
        }
    }

    private TransportSession serve(Attachment attachment, boolean overRing) {
        int fd = attachment.descriptor();
        RingPool ring = null;
        try {
            ring = overRing ? ring(fd) : null;
            Negotiation negotiation = new Negotiation(ring != null);
            negotiate(negotiation, fd);
            Dispatcher dispatcher = new Dispatcher(fs, negotiation);
            boolean ringing = ring != null && starts(ring, negotiation, dispatcher);
            Server server = ringing ? new RingServer(ring, reader(fd, dispatcher)) : readers(List.of(fd), dispatcher);
            Connection connection = new Connection(
                    attachment, negotiation, overRing ? FuseRingTransport.TITLE : FuseTransport.TITLE, Map.of());
            return new FuseSession(
                    directory, connection, server, dispatcher, ringing ? FuseRingTransport.TITLE : FuseTransport.TITLE);
        } catch (RuntimeException e) {
            calls.close(fd);
            attachment.unmount(calls, true);
            end(ring);
            throw e;
        }
    }

    /** All that io_uring needs, made before the kernel is told to wait for it; null if it is not to be had. */
    private RingPool ring(int fd) {
        try {
            return RingPool.open(calls, fd);
        } catch (UnsupportedOperationException e) {
            LOG.warn("{}: served through reads of /dev/fuse: {}", directory, e.getMessage());
            return null;
        }
    }

    private boolean starts(RingPool ring, Negotiation negotiation, Dispatcher dispatcher) {
        if (!negotiation.overRing()) {
            LOG.warn("{}: served through reads of /dev/fuse: the kernel offers no io_uring", directory);
            ring.release();
            return false;
        }
        int refused = ring.start(threadName, dispatcher);
        if (refused == -Linux.EOPNOTSUPP) {
            throw new DeviceException("FUSE over io_uring was turned off while this was being mounted");
        }
        if (refused != 0) {
            LOG.warn("{}: served through reads of /dev/fuse: io_uring: {}", directory, Linux.errorText(-refused));
        }
        return refused == 0;
    }

    private Server readers(List<Integer> descriptors, Dispatcher dispatcher) {
        int count = Math.max(LEAST_READERS, 2 * Runtime.getRuntime().availableProcessors());
        return ReaderPool.start(calls, descriptors, count, SPARES, threadName, dispatcher);
    }

    /** For what never comes over io_uring: FORGET and INTERRUPT. */
    private Server reader(int fd, Dispatcher dispatcher) {
        return ReaderPool.start(calls, List.of(fd), 1, 0, threadName, dispatcher);
    }

    private static void end(RingPool ring) {
        if (ring == null) {
            return;
        }
        ring.stop();
        try {
            ring.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void negotiate(Negotiation negotiation, int fd) {
        MemorySegment request = arena.allocate(Descriptors.REQUEST_BYTES);
        MemorySegment reply = arena.allocate(Descriptors.REPLY_BYTES);
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
    }

    /** As {@link ext4.api.fs.Transport#resume}; requests go on to come the way that they came. */
    static TransportSession resume(MountPoint where, FileSystem fs, TransportState state) {
        Connection connection = Connection.of(where, state);
        Attachment attachment = connection.attachment();
        try (Arena arena = Arena.ofConfined()) {
            Door door = new Door(arena, attachment.directory(), fs);
            Dispatcher dispatcher = new Dispatcher(fs, connection.negotiation(), connection.counts());
            Server server = state.transport().equals(FuseRingTransport.TITLE)
                    ? door.rings(state, dispatcher)
                    : door.readersAgain(state, dispatcher);
            return new FuseSession(attachment.directory(), connection, server, dispatcher, state.transport());
        }
    }

    private Server readersAgain(TransportState state, Dispatcher dispatcher) {
        if (state.resend()) {
            Descriptors.resend(calls, state.descriptors().getFirst());
        }
        return readers(state.descriptors(), dispatcher);
    }

    /** Of the descriptors the rings have their own, and the others are for reads. */
    private Server rings(TransportState state, Dispatcher dispatcher) {
        RingPool ring = RingPool.of(state);
        List<Integer> read = new ArrayList<>(state.descriptors());
        read.removeAll(ring.descriptors());
        RingServer server = new RingServer(ring, ReaderPool.start(calls, read, 1, 0, threadName, dispatcher));
        ring.resume(threadName, dispatcher);
        return server;
    }

    /** As {@link ext4.api.fs.Transport#discard}. */
    static void discard(MountPoint where, TransportState state) {
        Attachment attachment = Mounts.attached(where, state.descriptors().getFirst(), state.words());
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            attachment.unmount(calls, true);
            if (state.transport().equals(FuseRingTransport.TITLE)) {
                RingPool.discard(calls, state);
            }
            state.descriptors().forEach(calls::close);
        }
    }
}
