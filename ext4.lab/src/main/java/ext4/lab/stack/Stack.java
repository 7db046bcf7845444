// SPDX-License-Identifier: Apache-2.0
package ext4.lab.stack;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.CoreProvider;
import ext4.api.fs.MountOptions;
import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanStrategy;
import ext4.core.mount.Ext4CoreProvider;
import ext4.device.FileBlockDeviceProvider;
import ext4.journal.Jbd2Provider;
import ext4.journal.NoLogProvider;
import ext4.orphan.global.GlobalOrphanStrategy;
import ext4.orphan.sharded.ShardedOrphanStrategy;
import ext4.orphan.template.TemplateOrphanStrategy;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** Puts the parts together as a container does for a mount without a transport and without a gate. */
public final class Stack {
    /** The orphan strategies by name. */
    public static final List<String> STRATEGIES = List.of("global", "sharded", "template");

    /** No access times and no commits by themselves: what is on the device is what was asked for. */
    public static final MountOptions QUIET =
            new MountOptions(false, false, false, MountOptions.Atime.NOATIME, 1_000_000, true, null, false);

    private Stack() {}

    /** Opens an image. */
    public static BlockDevice open(Path image, boolean readOnly) {
        return new FileBlockDeviceProvider().open(image.toString(), readOnly);
    }

    /** A new strategy of that name. */
    public static OrphanStrategy strategy(String name) {
        return switch (name) {
            case "global" -> new GlobalOrphanStrategy();
            case "sharded" -> new ShardedOrphanStrategy();
            case "template" -> new TemplateOrphanStrategy();
            default -> throw new IllegalArgumentException("no strategy is called " + name + ": " + STRATEGIES);
        };
    }

    /** The provider of the kind that the filesystem on {@code device} needs. */
    public static JournalProvider journal(BlockDevice device) {
        return new Ext4CoreProvider().needsJournal(device) ? new Jbd2Provider() : new NoLogProvider();
    }

    /** Brings the filesystem on {@code device} to life. */
    public static CoreFileSystem mount(BlockDevice device, MountOptions options, String strategy) {
        return mount(device, options, strategy, journal -> journal);
    }

    /** The same; {@code between} may put something between core and journal. */
    public static CoreFileSystem mount(
            BlockDevice device, MountOptions options, String strategy, UnaryOperator<JournalProvider> between) {
        CoreProvider core = new Ext4CoreProvider();
        return core.mount(device, options, between.apply(journal(device)), strategy, strategy(strategy));
    }
}
