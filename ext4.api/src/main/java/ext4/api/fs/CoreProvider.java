// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

import ext4.api.block.BlockDevice;
import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanStrategy;
import org.osgi.annotation.versioning.ConsumerType;

/** Service: brings a filesystem on a block device to life. */
@ConsumerType
public interface CoreProvider {
    /** Service property with the core's name, for example {@code ext4}. */
    String NAME = "ext4.core.name";

    /**
     * Mounts: replays the journal, processes orphans, marks the superblock. On a throw nothing stays open but the
     * device, which the caller closes; nothing was written unless the superblock was valid and the mount writable.
     *
     * @param journal the provider that the superblock asks for by {@link #needsJournal}
     * @param strategyName the name under which {@code strategy} is registered
     */
    CoreFileSystem mount(
            BlockDevice device,
            MountOptions options,
            JournalProvider journal,
            String strategyName,
            OrphanStrategy strategy);

    /**
     * Goes on with a filesystem that another core has frozen ({@link CoreFileSystem#freeze}), or that a process left when
     * it died: as {@link #mount}, replay of the journal included, but what is pinned stays, and is not freed although it may
     * have no link. Orphans without a link that are not pinned are freed soon, by threads of the core.
     *
     * <p>A pinned number whose inode is gone, or is of another generation, answers ESTALE to every verb, also to one that
     * comes upon it by a name, and is not used again, until its last pin is given back. A generation may be looked at when
     * the inode is used first.
     *
     * <p>Everything that can refuse does so first. A throw leaves the image as it was but for the replay and for marks in the
     * superblock, and the journal closed with an empty log, so that the other can go on; once the strategy is attached
     * nothing is thrown any more.
     *
     * @param options as they are in force: read-only if a remount made it so
     * @param pins what the operating system still knows
     * @throws IllegalArgumentException for a pinned number that no inode for users can have
     */
    default CoreFileSystem adopt(
            BlockDevice device,
            MountOptions options,
            JournalProvider journal,
            String strategyName,
            OrphanStrategy strategy,
            PinnedInodes pins) {
        throw new UnsupportedOperationException("this core can't take over a mounted filesystem");
    }

    /**
     * Whether the filesystem on {@code device} has a journal, so a provider that {@link JournalProvider#journals()} is
     * needed. Reads the superblock only.
     *
     * @throws CorruptException if there is no valid ext4 superblock
     */
    boolean needsJournal(BlockDevice device);
}
