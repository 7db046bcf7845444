// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.core.extent.FileMap;
import ext4.core.extent.Mapping;
import ext4.core.inode.Inode;
import ext4.core.volume.Volume;

/** The rest of a file's last block, behind i_size, must be zeros before it becomes part of the file. */
final class Tail {
    private final Volume volume;
    private final FileMap map;
    private final DeviceBytes bytes;

    Tail(Volume volume, FileMap map) {
        this.volume = volume;
        this.map = map;
        bytes = new DeviceBytes(volume);
    }

    /** Zeroes from i_size up to {@code end}, in the block of i_size only. The write lock is held. */
    void zero(Inode inode, long end) {
        zero(inode, inode.size, end);
    }

    /** Zeroes from {@code from} up to {@code end}, in the block of {@code from} only, if it is written at all. */
    void zero(Inode inode, long from, long end) {
        int used = (int) (from & volume.blockSize() - 1);
        if (used == 0) {
            return;
        }
        Mapping run = new Mapping();
        map.find(inode, from >>> volume.superblock().blockBits(), run);
        if (run.written()) {
            long blockEnd = from - used + volume.blockSize();
            bytes.zero(bytes.position(run, from), Math.min(end, blockEnd) - from);
        }
    }
}
