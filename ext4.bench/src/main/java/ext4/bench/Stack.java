// SPDX-License-Identifier: Apache-2.0
package ext4.bench;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.CoreProvider;
import ext4.api.fs.FileSystem;
import ext4.api.fs.MountOptions;
import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanStrategy;
import ext4.core.mount.Ext4CoreProvider;
import ext4.device.FileBlockDeviceProvider;
import ext4.journal.Jbd2Provider;
import ext4.journal.NoLogProvider;
import ext4.mount.gate.Gate;
import ext4.mount.gate.GatedFileSystem;
import ext4.orphan.global.GlobalOrphanStrategy;
import ext4.orphan.sharded.ShardedOrphanStrategy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Puts the parts together as the container does for a mount without a transport. */
public final class Stack {
    /** The orphan strategies by name. */
    public static final List<String> STRATEGIES = List.of("global", "sharded");

    private static final long GATE_LIMIT = TimeUnit.SECONDS.toNanos(10);

    private Stack() {}

    /** Opens an image for reading and writing. */
    public static BlockDevice open(Path image) {
        return new FileBlockDeviceProvider().open(image.toString(), false);
    }

    /** A strategy by name. */
    public static OrphanStrategy strategy(String name) {
        return switch (name) {
            case "global" -> new GlobalOrphanStrategy();
            case "sharded" -> new ShardedOrphanStrategy();
            default -> throw new IllegalArgumentException("no strategy is called " + name + ": " + STRATEGIES);
        };
    }

    /**
     * Brings the filesystem on {@code device} to life.
     *
     * @param alwaysRemove setattr takes the inode off the orphan list whether or not it was put on
     * @param commitSeconds 0 for the default
     */
    public static CoreFileSystem mount(BlockDevice device, String strategy, boolean alwaysRemove, int commitSeconds) {
        CoreProvider core = new Ext4CoreProvider();
        JournalProvider journal = core.needsJournal(device) ? new Jbd2Provider() : new NoLogProvider();
        MountOptions d = MountOptions.DEFAULTS;
        MountOptions options = new MountOptions(
                d.readOnly(), d.noload(), d.sync(), d.atime(), commitSeconds, d.barrier(), d.errors(), alwaysRemove);
        return core.mount(device, options, journal, strategy, strategy(strategy));
    }

    /** The verbs behind a gate, as a mount's users call them. */
    public static FileSystem gated(CoreFileSystem core, boolean alwaysRemove) {
        return new GatedFileSystem(new Gate("bench", GATE_LIMIT), core, alwaysRemove);
    }
}
