// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.core.alloc.GroupTable;
import ext4.core.volume.Volume;
import ext4.core.volume.WallClock;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;

/**
 * What the superblock says about being mounted, as the kernel has it. With a journal: needs_recovery and, with an orphan
 * file, orphan_present while mounted; the state stays valid. Without: the state is not valid while mounted. Written past
 * the journal, before its first transaction and after it is closed: a crash in between must find needs_recovery.
 */
final class SuperblockMarks {
    private final Volume volume;
    private final GroupTable groups;
    private final boolean journals;
    private boolean wasValid;

    SuperblockMarks(Volume volume, GroupTable groups, boolean journals) {
        this.volume = volume;
        this.groups = groups;
        this.journals = journals;
        wasValid = volume.superblockBuffer()
                .view((b, off) -> (SuperblockFields.state(b, off) & Superblock.STATE_VALID) != 0);
    }

    /** Whether it was clean when it was mounted, so that the unmount may say so again. */
    boolean wasValid() {
        return wasValid;
    }

    /** Whether errors were recorded. */
    boolean hasErrors() {
        return volume.superblockBuffer()
                .view((b, off) -> (SuperblockFields.state(b, off) & Superblock.STATE_ERROR) != 0);
    }

    /** The journal's superblock says that it was aborted with an error. */
    void journalHadError() {
        volume.superblockBuffer()
                .writeThrough(
                        volume.device(),
                        (b, off) -> SuperblockFields.setState(
                                b, off, SuperblockFields.state(b, off) | Superblock.STATE_ERROR));
    }

    /** No chain of orphans any more: it is left to fsck. */
    void forgetChain() {
        volume.superblockBuffer().writeThrough(volume.device(), (b, off) -> SuperblockFields.setLastOrphan(b, off, 0));
    }

    /** Before anything is logged. */
    void mounted() {
        long now = WallClock.seconds(volume.clock().nanos());
        volume.superblockBuffer().writeThrough(volume.device(), (b, off) -> {
            SuperblockFields.setMountCount(b, off, SuperblockFields.mountCount(b, off) + 1);
            SuperblockFields.setMountTime(b, off, now);
            SuperblockFields.setWriteTime(b, off, now);
            if (journals) {
                SuperblockFields.setNeedsRecovery(b, off, true);
                SuperblockFields.setOrphanPresent(b, off, volume.superblock().has(Feature.ORPHAN_FILE));
            } else {
                SuperblockFields.setState(b, off, SuperblockFields.state(b, off) & ~Superblock.STATE_VALID);
            }
        });
    }

    /**
     * As {@link #mounted} where it is mounted already: writes only what does not stand there.
     *
     * @param wasClean whether it was clean when it was mounted, as far as that is known
     */
    void adopted(boolean wasClean) {
        wasValid |= wasClean;
        boolean orphanFile = volume.superblock().has(Feature.ORPHAN_FILE);
        boolean marked = volume.superblockBuffer()
                .view((b, off) -> journals
                        ? SuperblockFields.needsRecovery(b, off) && SuperblockFields.orphanPresent(b, off) == orphanFile
                        : (SuperblockFields.state(b, off) & Superblock.STATE_VALID) == 0);
        if (!marked) {
            mounted();
        }
    }

    /**
     * After the journal was closed, its log being empty.
     *
     * @param orphansLeft whether some were not freed: without a journal nothing on disk tells of them, so fsck must look
     */
    void unmounted(boolean orphansLeft) {
        long now = WallClock.seconds(volume.clock().nanos());
        volume.superblockBuffer().writeThrough(volume.device(), (b, off) -> {
            SuperblockFields.setWriteTime(b, off, now);
            putCounts(b, off);
            volume.errors().put(b, off);
            if (journals) {
                SuperblockFields.setNeedsRecovery(b, off, false);
                if (!orphansLeft) {
                    SuperblockFields.setOrphanPresent(b, off, false);
                }
            } else if (!orphansLeft && wasValid && (SuperblockFields.state(b, off) & Superblock.STATE_ERROR) == 0) {
                SuperblockFields.setState(b, off, SuperblockFields.state(b, off) | Superblock.STATE_VALID);
            }
        });
    }

    /** The totals, which nobody keeps up to date in between. */
    void putCounts(byte[] b, int off) {
        SuperblockFields.setFreeBlocks(b, off, groups.freeBlocks());
        SuperblockFields.setFreeInodes(b, off, groups.freeInodes());
    }
}
