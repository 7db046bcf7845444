// SPDX-License-Identifier: Apache-2.0
package ext4.api.keep;

import ext4.api.fs.TransportState;
import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * What a keeper holds for one mount, seen by the process that serves it, or is about to. One thread at a time calls it,
 * but {@link #put}, which any thread may call at any time. All methods throw {@link ext4.api.fs.DeviceException} if the
 * keeper can't be reached any more.
 */
@ConsumerType
public interface Keep extends AutoCloseable {
    /**
     * What the process before this one left when it died, or hands over: for the latter it waits. Its descriptors are then
     * this process's. Null if this is the first that serves the mount.
     */
    Kept take();

    /**
     * What was taken is this process's from now on: none that had it before goes on. Called when the image is adopted and
     * before a request is read.
     */
    void serves();

    /** What was taken can't be served, for this reason: nothing was read, and this process ends. */
    void refuses(String why);

    /** A new and empty table for the nodes of a filesystem with that many inodes, in place of any before. */
    NodeTable nodes(long inodes);

    /**
     * Has the table and all of this kept: from now on the end of this process is not that of the mount. What is the
     * caller's stays so.
     *
     * @param words what the mount itself wants to know then, by names of its own
     */
    void put(TransportState connection, Map<String, String> words);

    /**
     * Starts a process that is to take over, and returns when it needs nothing but what it will be handed.
     *
     * @throws ext4.api.fs.DeviceException with the reason if it did not come so far
     */
    void prepare();

    /**
     * Hands over what was {@link #put} last; meanwhile nothing serves it.
     *
     * @return null if another process serves it, or will: this one ends. Else why it refused: it has ended, nothing of what
     *     was put was used, and this process goes on
     * @throws ext4.api.fs.DeviceException if it can't be known: this process must not go on
     */
    String handOver();

    /** The mount point is gone: nothing is kept any more. */
    void drop();

    /** Releases what this process has of it. */
    @Override
    void close();
}
