// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.TransportSession;
import ext4.api.fs.TransportState;
import ext4.fuse.channel.Server;
import ext4.fuse.session.Dispatcher;
import ext4.sys.Linux;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A mount being served.
 *
 * <p>What the kernel still had pinned when the connection ended is not given back one by one: the filesystem's own close
 * ends all pins.
 */
final class FuseSession implements TransportSession {
    /** How long a mount point that umount(8) took away may take until its connection is gone. */
    private static final long DETACHED_SECONDS = 2;
    /** How long {@link #suspend} waits for requests that are being answered; others wait as long. */
    private static final long ANSWERED_SECONDS = 2;

    private final String directory;
    private final Connection connection;
    private final Attachment attachment;
    private final Server server;
    private final Dispatcher dispatcher;
    private final String transport;
    /** Whether the connection is somebody else's now. Guarded by this. */
    private boolean suspended;

    FuseSession(String directory, Connection connection, Server server, Dispatcher dispatcher, String transport) {
        this.directory = directory;
        this.connection = connection;
        this.attachment = connection.attachment();
        this.server = server;
        this.dispatcher = dispatcher;
        this.transport = transport;
    }

    @Override
    public CompletableFuture<Void> ended() {
        return server.ended().copy();
    }

    @Override
    public String transport() {
        return transport;
    }

    @Override
    public Map<String, Long> counters() {
        return dispatcher.counters();
    }

    @Override
    public synchronized TransportState suspend() {
        requireOwn();
        pause();
        if (server.ended().isDone()) {
            throw new DeviceException(directory + ": it is no mount point any more");
        }
        Connection counted = counted();
        Server.Released released = server.release();
        suspended = true;
        return counted.state(transport, released);
    }

    private void pause() {
        try {
            if (!server.pause(TimeUnit.SECONDS.toNanos(ANSWERED_SECONDS))) {
                throw new IllegalStateException(directory + ": a request takes longer than " + ANSWERED_SECONDS
                        + " s, and a transport can't be replaced before it is answered");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(directory + ": interrupted while the transport was being suspended", e);
        }
    }

    private Connection counted() {
        return new Connection(attachment, connection.negotiation(), connection.asked(), dispatcher.counters());
    }

    @Override
    public synchronized TransportState state() {
        requireOwn();
        if (!connection.negotiation().resends()) {
            throw new UnsupportedOperationException(
                    directory + ": this kernel can't be asked again for requests in flight, which Linux 6.9 brought");
        }
        return kept(server.descriptors());
    }

    @Override
    public synchronized void whenStateChanges(Consumer<TransportState> keeper) {
        requireOwn();
        server.whenDescriptorsChange(descriptors -> keeper.accept(kept(descriptors)));
    }

    private TransportState kept(List<Integer> descriptors) {
        return counted().state(transport, new Server.Released(descriptors, Map.of(), Map.of()));
    }

    private void requireOwn() {
        if (suspended) {
            throw new IllegalStateException(directory + ": this session gave its connection away");
        }
    }

    @Override
    public synchronized void close() {
        requireOwn();
        if (!server.ended().isDone()) {
            unmount();
        }
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            server.ended().join();
            server.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized void detach() {
        requireOwn();
        try (Arena arena = Arena.ofConfined()) {
            int result = attachment.unmount(new SystemCalls(arena), true);
            if (result < 0 && result != -Linux.EINVAL && result != -Linux.ENOENT) {
                throw new DeviceException(directory + ": umount: " + Linux.errorText(-result));
            }
        }
        server.stop();
        awaitEnd();
    }

    @Override
    public synchronized void remount(boolean readOnly) {
        requireOwn();
        int result;
        try (Arena arena = Arena.ofConfined()) {
            result = attachment.remount(new SystemCalls(arena), readOnly);
        }
        if (result == -Linux.EBUSY) {
            throw ErrnoException.of(Errno.EBUSY);
        }
        if (result < 0) {
            throw new DeviceException(directory + ": remount: " + Linux.errorText(-result));
        }
    }

    private void unmount() {
        int result;
        try (Arena arena = Arena.ofConfined()) {
            result = attachment.unmount(new SystemCalls(arena), false);
        }
        switch (-result) {
            case 0 -> {}
            case Linux.EBUSY -> throw ErrnoException.of(Errno.EBUSY);
            case Linux.EINVAL, Linux.ENOENT -> awaitDetached();
            default -> throw new DeviceException(directory + ": umount: " + Linux.errorText(-result));
        }
    }

    /** It is no mount point any more; a lazy umount leaves the connection to those who still use it. */
    private void awaitDetached() {
        try {
            server.ended().get(DETACHED_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw ErrnoException.of(Errno.EBUSY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ErrnoException.of(Errno.EINTR);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
