// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/** A mount point being served. */
@ProviderType
public interface TransportSession extends AutoCloseable {
    /** Completes when the mount point is gone, by {@link #close} or by umount(8); requests in flight are answered. */
    CompletableFuture<Void> ended();

    /** What serves it, for people: the transport's name, or that of the one it fell back to. */
    String transport();

    /**
     * Tells the operating system that the mount point is read-only from now on, or read-write again, as a remount does.
     * A transport that has no such thing, or no right to it, leaves it to the filesystem to refuse changes.
     *
     * @throws ErrnoException EBUSY if files are open for writing, or unlinked files open; nothing has changed then
     */
    default void remount(boolean readOnly) {}

    /**
     * Stops serving and leaves the mount point as it is: requests that were read are answered, others wait in the
     * operating system, all threads are joined. The session is of no use afterwards, and {@link #ended} does not complete.
     * A throw leaves it at work.
     *
     * <p>A request that waits, for the device or at the gate of the mount, is waited for, up to a limit.
     *
     * @throws IllegalStateException in one sentence, if a request takes longer than that
     * @throws DeviceException if the mount point is gone: the session has ended
     */
    default TransportState suspend() {
        throw new UnsupportedOperationException("this transport can't be replaced while it is mounted");
    }

    /**
     * What another process has to have in order to go on if this one dies: all descriptors that requests are ever read from,
     * and what was agreed on. They stay this session's, which goes on. {@link TransportState#resend} is false.
     *
     * @throws UnsupportedOperationException in one sentence, if what is served this way can't outlive its process
     */
    default TransportState state() {
        throw new UnsupportedOperationException("this transport can't be kept beyond its process");
    }

    /**
     * Tells {@code keeper} from now on when {@link #state} has another descriptor or one less, before a request is read from
     * a new one. The keeper is called on any thread, one at a time, with locks held: it must not call back.
     */
    default void whenStateChanges(Consumer<TransportState> keeper) {}

    /** Counters by name in a stable order: requests by opcode, errors ... */
    Map<String, Long> counters();

    /**
     * Unmounts and returns when no request is in flight and all pins that the kernel held are given back.
     *
     * @throws ErrnoException EBUSY if files are open or a process stands in it: the mount point goes on
     */
    @Override
    void close();

    /**
     * Takes the mount point away whoever uses it (umount -l), for a process that has to end: requests in flight are
     * answered, later ones on files still open fail, all pins are given back. Returns when that is done.
     */
    default void detach() {
        close();
    }
}
