// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.core.inode.Pins;
import ext4.core.orphan.DetachedOrphans;
import ext4.core.volume.DetachedJournal;
import ext4.core.volume.ErrorPolicy;
import ext4.core.volume.Evidence;
import ext4.format.superblock.Superblock;
import java.util.List;

/**
 * Loads what a core may first need when its bundle has been updated: the revision is closed then, and what was not loaded
 * is a NoClassDefFoundError. No verb runs any more at that time; it freezes, thaws and ends.
 */
final class Preload {
    private static final List<Class<?>> CLASSES = List.of(
            Freezing.class,
            Freezing.State.class,
            PinCensus.class,
            Pins.Visitor.class,
            Pins.Promise.class,
            JournalSuccession.class,
            CountingDevice.class,
            RemountCheck.class,
            StatusReport.class,
            DetachedJournal.class,
            DetachedOrphans.class,
            Evidence.class,
            Superblock.class);

    private Preload() {}

    /** Loads and initialises them; again costs little. */
    static void all() {
        CLASSES.forEach(Preload::load);
        ErrorPolicy.neededLate().forEach(Preload::load);
    }

    private static void load(Class<?> each) {
        try {
            Class.forName(each.getName(), true, Preload.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("the bundle is incomplete: " + each.getName(), e);
        }
    }
}
