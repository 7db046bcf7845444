// SPDX-License-Identifier: Apache-2.0
package ext4.core.file;

import ext4.api.fs.StatFs;
import ext4.core.volume.Volume;
import ext4.format.superblock.Superblock;

/** statfs(2). */
public final class StatVolume {
    private static final int NAME_MAX = 255;

    private final Engine engine;
    private final long overhead;

    /** @param journalBlocks blocks of the journal inside the filesystem: overhead like the fixed metadata */
    public StatVolume(Engine engine, long journalBlocks) {
        this.engine = engine;
        Superblock sb = engine.volume().superblock();
        overhead = sb.firstDataBlock() + engine.groups().zone().blocks() + journalBlocks;
    }

    /** See {@link ext4.api.fs.FileSystem#statfs}. */
    public StatFs statfs() {
        Volume volume = engine.volume();
        Superblock sb = volume.superblock();
        long free = Math.max(0, engine.groups().freeBlocks());
        return new StatFs(
                sb.blockSize(),
                Math.max(0, sb.blocksCount() - overhead),
                free,
                Math.max(0, free - sb.reservedBlocks() - volume.treeReserve()),
                Integer.toUnsignedLong(sb.inodesCount()),
                Math.max(0, engine.groups().freeInodes()),
                NAME_MAX);
    }
}
