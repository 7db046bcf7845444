// SPDX-License-Identifier: Apache-2.0
package ext4.mount.kept;

import ext4.api.fs.DeviceException;
import ext4.api.fs.FileSystem;
import ext4.api.fs.TransportSession;
import ext4.api.fs.TransportState;
import ext4.api.keep.Keep;
import ext4.api.keep.Keeper;
import ext4.api.keep.Kept;
import ext4.api.keep.NodeTable;
import ext4.api.mount.MountException;
import ext4.mount.gate.GatedFileSystem;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one mount has kept. A keeper that is gone ends nothing: the mount goes on, and is told to be without one.
 *
 * <p>Lock order: the transport may call with its locks held ({@link TransportSession#whenStateChanges}); nothing is called back with the
 * monitor of this held but the keeper, which waits for nobody.
 */
public final class MountKeep {
    private static final Logger LOG = LoggerFactory.getLogger(MountKeep.class);

    private final String mountpoint;
    private final Keep keep;
    /** Held while a successor is asked for and handed to: one at a time. */
    private final ReentrantLock restarting = new ReentrantLock();
    /** Set before anything is served. */
    private NodeTable nodes;
    /** What the session told last; null before. Guarded by this. */
    private TransportState told;
    /** Guarded by this. */
    private Map<String, String> words = Map.of();
    /** Why nothing is kept any more, or null. */
    private volatile String trouble;

    /**
     * Of the mount at {@code mountpoint}.
     *
     * @throws DeviceException in one sentence, if this process has no such keeper
     */
    public MountKeep(Keeper keeper, String mountpoint) {
        this.mountpoint = mountpoint;
        keep = keeper.open(mountpoint);
    }

    /** What another process left or hands over, for which it waits; null if this is the first. */
    public Kept take() {
        Kept left = keep.take();
        if (left != null) {
            nodes = left.nodes();
        }
        return left;
    }

    /** As the transport is to see a filesystem with that many inodes. */
    public FileSystem counted(GatedFileSystem gated, long inodes) {
        if (nodes == null) {
            nodes = keep.nodes(inodes);
        }
        return new CountedFileSystem(gated, nodes);
    }

    /** What was taken is adopted: no other process goes on with it. */
    public void serves() {
        keep.serves();
    }

    /** What was taken can't be served. */
    public void refuses(String why) {
        try {
            keep.refuses(why);
        } catch (DeviceException e) {
            LOG.debug("{}: nobody is there to be told of a refusal", mountpoint, e);
        }
    }

    /**
     * Has the connection of that session kept, now and whenever it changes.
     *
     * @throws UnsupportedOperationException in one sentence, if it can't be
     */
    public void serve(TransportSession session) {
        session.whenStateChanges(this::connection);
        TransportState state;
        do {
            state = session.state();
            connection(state);
        } while (!state.descriptors().equals(session.state().descriptors())); // it changed in between
    }

    private synchronized void connection(TransportState state) {
        told = state;
        put();
    }

    /** As {@link #serve} of a session that serves already: one that can't be kept goes on without. */
    public void serveAfter(TransportSession session) {
        try {
            serve(session);
        } catch (UnsupportedOperationException e) {
            LOG.error("{}: {}; the mount goes on, and ends with this process", mountpoint, e.getMessage());
            trouble = e.getMessage();
            keep.drop();
        }
    }

    /** What the next process is to know of the mount as it is now. */
    public synchronized void say(Map<String, String> now) {
        if (!words.equals(now)) {
            words = Map.copyOf(now);
            put();
        }
    }

    private synchronized void put() {
        if (told == null || trouble != null) {
            return;
        }
        try {
            keep.put(told, words);
        } catch (DeviceException e) {
            lost(e);
        }
    }

    private void lost(DeviceException e) {
        if (trouble == null) {
            trouble = e.getMessage();
            LOG.error("{}: {}; the mount goes on, and ends with this process", mountpoint, e.getMessage());
        }
    }

    /** Has a process started that takes over in a moment; only the caller may {@link #hand} it anything. */
    public void prepare() throws MountException {
        if (!restarting.tryLock()) {
            throw new MountException(mountpoint + ": a restart is under way");
        }
        try {
            keep.prepare();
        } catch (DeviceException e) {
            restarting.unlock();
            throw new MountException(mountpoint + ": not restarted: " + e.getMessage());
        }
    }

    /** Ends what {@link #prepare} began, by the same thread. */
    public void done() {
        restarting.unlock();
    }

    /**
     * Hands over a connection that nobody serves; by the thread that does what {@link #prepare}'s asked for.
     *
     * @param more words for the successor
     * @return null if it serves, else why it refused: it has ended then, and nothing of what it was given was used
     * @throws DeviceException if that can't be known
     */
    public String hand(TransportState state, Map<String, String> more) {
        synchronized (this) {
            Map<String, String> all = new HashMap<>(words);
            all.putAll(more);
            try {
                keep.put(state, all);
            } catch (DeviceException e) {
                lost(e);
                return e.getMessage();
            }
        }
        return keep.handOver();
    }

    /** Nothing is kept any more: the mount point is gone. */
    public void drop() {
        try {
            keep.drop();
        } catch (DeviceException e) {
            LOG.debug("{}: the keeper is gone before the mount", mountpoint, e);
        }
        close();
    }

    /** Nothing of it is used in this process any more. */
    public void close() {
        keep.close();
    }

    /** Why nothing is kept any more, or null. Any thread. */
    public String trouble() {
        return trouble;
    }
}
