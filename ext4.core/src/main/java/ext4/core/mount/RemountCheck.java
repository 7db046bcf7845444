// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.fs.CorruptException;
import ext4.api.fs.DeviceException;
import ext4.api.fs.UnsupportedFeatureException;
import ext4.api.journal.Journal;
import ext4.core.volume.Evidence;
import ext4.core.volume.Volume;
import ext4.format.superblock.Features;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import java.util.Arrays;

/** Whether what is mounted read-only may be written again: the superblock is read and judged anew. */
final class RemountCheck {
    private RemountCheck() {}

    /** Throws as {@link ext4.api.fs.CoreFileSystem#remountReadWrite}. */
    static void mayWrite(Volume volume) {
        String name = volume.device().name();
        Journal journal = volume.journal();
        if (journal != null && journal.abortCause() != null) {
            throw new DeviceException(name + ": the journal aborted; unmount it and run fsck");
        }
        if (volume.options().noload()) {
            throw new DeviceException(name + ": mounted without its journal (noload), so it can only be read");
        }
        if (volume.device().readOnly()) {
            throw new DeviceException(name + ": the device is read-only");
        }
        byte[] b = Mounter.read(volume.device());
        Features features = Superblock.features(b, 0);
        if (!features.unsupportedIncompat().isEmpty()) {
            throw new UnsupportedFeatureException(name + " stays read-only", features.unsupportedIncompat());
        }
        if (!features.unsupportedRoCompat().isEmpty()) {
            throw new UnsupportedFeatureException(name + " stays read-only", features.unsupportedRoCompat());
        }
        Evidence.parse(() -> Superblock.parse(b));
        if ((SuperblockFields.state(b, 0) & Superblock.STATE_ERROR) != 0) {
            throw new CorruptException(
                    "superblock of " + name, -1, "s_state", "recorded errors", "none; unmount it and run fsck");
        }
        boolean same = volume.superblockBuffer()
                .view((now, off) -> Arrays.equals(now, off, off + Superblock.SIZE, b, 0, Superblock.SIZE));
        if (!same) {
            throw new DeviceException(
                    name + ": its superblock was changed since it was mounted; unmount it and mount it again");
        }
    }
}
