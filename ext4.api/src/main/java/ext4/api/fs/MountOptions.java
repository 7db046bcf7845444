// SPDX-License-Identifier: Apache-2.0
package ext4.api.fs;

/**
 * Mount options of ext4(5), as far as they concern the filesystem itself.
 *
 * @param readOnly ro
 * @param noload the journal is not replayed; only with {@code readOnly}
 * @param sync every change is durable when its call returns
 * @param atime when reads update the access time
 * @param commitSeconds commit=, 0 means the default of 5
 * @param barrier barrier or nobarrier
 * @param errors errors=, null for what the superblock says
 * @param alwaysRemoveOrphans for benchmarks only: setattr takes the inode off the orphan list whether or not it was put
 *     on, as the kernel of 2010 did
 */
public record MountOptions(
        boolean readOnly,
        boolean noload,
        boolean sync,
        Atime atime,
        int commitSeconds,
        boolean barrier,
        Errors errors,
        boolean alwaysRemoveOrphans) {
    /** When reads update the access time. */
    public enum Atime {
        /** At each read (strictatime). */
        STRICT,
        /** If it is not later than the modification or change time, or a day old. */
        RELATIME,
        /** Never. */
        NOATIME
    }

    /** What follows an error that leaves the filesystem inconsistent. */
    public enum Errors {
        /** Mark the superblock and go on. */
        CONTINUE,
        /** Mark the superblock and refuse further changes. */
        REMOUNT_RO
    }

    /** rw, relatime, barrier, commit=5, errors= as in the superblock. */
    public static final MountOptions DEFAULTS =
            new MountOptions(false, false, false, Atime.RELATIME, 0, true, null, false);

    /** The same with {@code readOnly}. */
    public MountOptions withReadOnly(boolean value) {
        return new MountOptions(value, noload, sync, atime, commitSeconds, barrier, errors, alwaysRemoveOrphans);
    }
}
