// SPDX-License-Identifier: Apache-2.0
package ext4.core.volume;

import ext4.api.block.BlockDevice;
import ext4.api.fs.MountOptions;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.core.cache.BlockCache;

/** What all parts of a mounted filesystem share: device, geometry, cache, journal, clock, state. */
public abstract class Volume {
    /** The device. */
    public abstract BlockDevice device();

    /** Mount options. */
    public abstract MountOptions options();

    /** Metadata blocks in memory. */
    public abstract BlockCache cache();

    /** The journal; null before it is opened and on a read-only mount. */
    public abstract Journal journal();

    /**
     * Starts a handle.
     *
     * @throws ext4.api.fs.ErrnoException EROFS on a read-only mount
     */
    public abstract Handle start(HandleKind kind, int credits, int orphanChanges);

    /** Whether changes are refused. */
    public abstract boolean readOnly();
}
