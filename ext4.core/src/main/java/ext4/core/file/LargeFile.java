// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.core.volume.Volume;
import ext4.format.superblock.Feature;
import ext4.format.superblock.SuperblockFields;

/** A filesystem with a file of 2 GiB or more must say so in its superblock (feature large_file). */
final class LargeFile {
    private static final long LIMIT = 0x7FFF_FFFFL;

    private final Volume volume;
    private volatile boolean said;

    LargeFile(Volume volume) {
        this.volume = volume;
        said = volume.superblock().has(Feature.LARGE_FILE);
    }

    /** A file is going to have this size. No handle is open. */
    void ensure(long size) {
        if (size <= LIMIT || said) {
            return;
        }
        try (Handle handle = volume.start(HandleKind.SUPER, 1, 0)) {
            volume.superblockBuffer()
                    .edit(handle, (b, off) -> SuperblockFields.setFeature(b, off, Feature.LARGE_FILE, true));
        }
        said = true;
    }
}
