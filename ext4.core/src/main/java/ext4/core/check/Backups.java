// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.api.fs.DeviceException;
import ext4.format.FormatException;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import java.nio.ByteBuffer;

/**
 * The backup superblocks. Like e2fsck -n, which does not look at them, a bad one is no damage of the filesystem; it is
 * told, since it would be missed when it is needed.
 */
final class Backups {
    private static final int MOST_TOLD = 16;

    private final Fs fs;
    private int told;

    Backups(Fs fs) {
        this.fs = fs;
    }

    void run() {
        byte[] raw = new byte[Superblock.SIZE];
        for (int group = 1; group < fs.sb.groupCount() && told < MOST_TOLD; group++) {
            if (fs.layout.hasSuper(group)) {
                check(group, raw);
            }
        }
    }

    private void check(int group, byte[] raw) {
        String wrong;
        try {
            fs.device.read(fs.layout.superBlock(group) << fs.sb.blockBits(), ByteBuffer.wrap(raw));
            Superblock backup = Superblock.parse(raw);
            wrong = difference(backup, SuperblockFields.blockGroupNumber(raw, 0), group);
        } catch (FormatException | DeviceException e) {
            wrong = e.getMessage();
        }
        if (wrong != null) {
            told++;
            fs.report.note("Note: the backup superblock in group %d cannot be used: %s.", group, wrong);
        }
    }

    private String difference(Superblock backup, int number, int group) {
        Superblock sb = fs.sb;
        if (backup.blockSize() != sb.blockSize()
                || backup.blocksCount() != sb.blocksCount()
                || backup.blocksPerGroup() != sb.blocksPerGroup()
                || backup.inodesPerGroup() != sb.inodesPerGroup()
                || backup.inodeSize() != sb.inodeSize()
                || backup.descSize() != sb.descSize()) {
            return "its geometry is not that of the primary";
        }
        if (!backup.uuid().equals(sb.uuid())) {
            return "its uuid is " + backup.uuid() + ", not " + sb.uuid();
        }
        return number == (group & 0xFFFF) ? null : "it says to be that of group " + number;
    }
}
