// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStrategy;
import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/** A filesystem brought to life by a core: the verbs, and what an operator does with it. */
@ProviderType
public interface CoreFileSystem extends FileSystem, AutoCloseable {
    /** Whether changes are refused: mounted so, or after an error with errors=remount-ro, or a journal abort. */
    boolean readOnly();

    /** Name of the orphan strategy at work. */
    String strategyName();

    /**
     * Replaces the orphan strategy behind the barrier: old list's closing, new one's attach, publish, old one's detach.
     * A throw before publish leaves the old one at work. One swap at a time; callers of verbs see a pause.
     */
    SwapReport swapOrphanStrategy(String name, OrphanStrategy strategy);

    /**
     * Puts the strategy's service out of use without a successor: closes the list behind the barrier and keeps the
     * orphans in the core's own memory. Until {@link #swapOrphanStrategy} verbs that need a list must not be called (the
     * gate of the mount holds them); one that is called nevertheless fails with EIO. {@link #close} works: it takes off
     * the list what it frees.
     */
    SwapReport detachOrphanStrategy();

    /** The orphans now, and where each stands on disk. It takes the barrier: callers of verbs see a pause. */
    List<OrphanPlace> orphans();

    /** State for people, by name in a stable order: features, strategy, orphans, journal state, counters. */
    Map<String, String> status();

    /** Waits until every unlinked inode without pins is freed. */
    void awaitEvictions();

    /**
     * Unmounts: waits for evictions, processes what is left of pins (an unlinked inode still pinned is freed), commits,
     * checkpoints, marks the superblock clean, flushes. The device stays open. Idempotent.
     */
    @Override
    void close();
}
