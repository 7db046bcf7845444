// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.CoreProvider;
import ext4.api.fs.MountOptions;
import ext4.api.fs.PinnedInodes;
import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanStrategy;
import ext4.core.volume.WallClock;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;
import org.osgi.service.component.annotations.Component;

/** The service: brings an ext4 filesystem to life. Nothing in it changes. */
@Component(property = CoreProvider.NAME + "=ext4")
public final class Ext4CoreProvider implements CoreProvider {
    private final WallClock clock;
    private final IntSupplier generations;

    /** Loads what its cores will need at their end. */
    public Ext4CoreProvider() {
        this(WallClock.SYSTEM, () -> ThreadLocalRandom.current().nextInt());
    }

    /**
     * Cores that write the same bytes whenever the same is asked of them.
     *
     * @param clock for times on disk
     * @param generations what new inodes get as their generation; called by any thread
     */
    public Ext4CoreProvider(WallClock clock, IntSupplier generations) {
        this.clock = clock;
        this.generations = generations;
        Preload.all();
    }

    @Override
    public CoreFileSystem mount(
            BlockDevice device,
            MountOptions options,
            JournalProvider journal,
            String strategyName,
            OrphanStrategy strategy) {
        return new Mounter(device, clock, generations, options, journal, strategyName, strategy).mount();
    }

    @Override
    public CoreFileSystem adopt(
            BlockDevice device,
            MountOptions options,
            JournalProvider journal,
            String strategyName,
            OrphanStrategy strategy,
            PinnedInodes pins) {
        return new Mounter(device, clock, generations, options, journal, strategyName, strategy).adopt(pins);
    }

    @Override
    public boolean needsJournal(BlockDevice device) {
        return Superblock.features(Mounter.read(device), 0).has(Feature.HAS_JOURNAL);
    }
}
