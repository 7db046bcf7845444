// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

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
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** Puts the parts together as a container would, without one. */
final class Stack {
    private Stack() {}

    static BlockDevice open(Path image, boolean readOnly) {
        return new FileBlockDeviceProvider().open(image.toString(), readOnly);
    }

    static OrphanStrategy strategy(String name) {
        return switch (name) {
            case "global" -> new GlobalOrphanStrategy();
            case "sharded" -> new ShardedOrphanStrategy();
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** The provider of the kind that the filesystem on {@code device} needs. */
    static JournalProvider journal(BlockDevice device) {
        return new Ext4CoreProvider().needsJournal(device) ? new Jbd2Provider() : new NoLogProvider();
    }

    static CoreFileSystem mount(BlockDevice device, MountOptions options, String strategy) {
        return mount(device, options, strategy, provider -> provider);
    }

    /** {@code journal} may put something between core and journal. */
    static CoreFileSystem mount(
            BlockDevice device, MountOptions options, String strategy, UnaryOperator<JournalProvider> journal) {
        CoreProvider core = new Ext4CoreProvider();
        return core.mount(device, options, journal.apply(journal(device)), strategy, strategy(strategy));
    }
}
