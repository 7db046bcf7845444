// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.TransportSession;
import ext4.fuse.channel.Server;
import ext4.fuse.session.Dispatcher;
import ext4.sys.Linux;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A mount being served.
 *
 * <p>What the kernel still had pinned when the connection ended is not given back one by one: the filesystem's own close
 * ends all pins.
 */
final class FuseSession implements TransportSession {
    /** How long a mount point that umount(8) took away may take until its connection is gone. */
    private static final long DETACHED_SECONDS = 2;

    private final String directory;
    private final Attachment attachment;
    private final Server server;
    private final Dispatcher dispatcher;
    private final String transport;

    FuseSession(String directory, Attachment attachment, Server server, Dispatcher dispatcher, String transport) {
        this.directory = directory;
        this.attachment = attachment;
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
    public synchronized void close() {
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
