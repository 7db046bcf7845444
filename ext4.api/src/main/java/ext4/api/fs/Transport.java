// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

import org.osgi.annotation.versioning.ConsumerType;

/** Service: makes a filesystem visible at a mount point of the operating system. */
@ConsumerType
public interface Transport {
    /** Service property with the transport's name, for example {@code fuse}. */
    String NAME = "ext4.transport.name";

    /**
     * Mounts and starts serving; returns when the first request has been answered, so the mount point works.
     *
     * @throws DeviceException naming what is wrong: mount point missing or no directory, no permission, no /dev/fuse
     */
    TransportSession mount(MountPoint where, FileSystem fs);

    /**
     * Goes on with a connection that another session gave up by {@link TransportSession#suspend}, or that its process left
     * when it died. On a throw the descriptors are still the caller's, and no request that was read is unanswered. If the
     * mount point is gone meanwhile the session ends at once.
     *
     * @throws UnsupportedOperationException in one sentence, if it can't go on with a connection of that kind
     */
    default TransportSession resume(MountPoint where, FileSystem fs, TransportState state) {
        throw new UnsupportedOperationException("this transport can't take over a mount point");
    }

    /**
     * Gives up a connection that no transport goes on with: takes the mount point away (umount -l) and closes the
     * descriptors, so that whoever waits for an answer gets an error.
     */
    default void discard(MountPoint where, TransportState state) {
        throw new UnsupportedOperationException("this transport can't take over a mount point");
    }

    /**
     * Whether {@link #mount} is likely to work: called before the image is opened, so that nothing is written for a mount
     * that can't be.
     *
     * @throws DeviceException as {@link #mount}
     */
    default void check(MountPoint where) {}

    /**
     * Why this host does not let it work at all now, in one sentence that says what to do about it; null if it does. One
     * that does not is passed over where no transport is named.
     */
    default String unavailable() {
        return null;
    }
}
