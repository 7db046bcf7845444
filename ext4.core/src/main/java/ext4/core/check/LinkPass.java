// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.inode.InodeRecord;
import ext4.format.superblock.Feature;

/** Pass 4: the links that inodes say to have. */
final class LinkPass {
    private final State state;
    private final SpecialInodes special;

    LinkPass(State state) {
        this.state = state;
        special = new SpecialInodes(state);
    }

    void run() {
        InodeTally inodes = state.inodes;
        int last = state.fs.sb.inodesCount();
        for (int ino = inodes.nextUsed(1, last); ino != 0; ino = ino == last ? 0 : inodes.nextUsed(ino + 1, last)) {
            if (!special.isHidden(ino)) {
                check(ino);
            }
        }
    }

    private void check(int ino) {
        int links = state.inodes.links(ino);
        int counted = state.inodes.counted(ino);
        boolean directory = state.inodes.isDirectory(ino);
        if (counted == 0 && !directory) {
            state.report.problem("Unattached inode %d.", Integer.toUnsignedLong(ino));
            return;
        }
        if (directory && counted > InodeRecord.MAX_LINKS) {
            if (!state.fs.sb.has(Feature.DIR_NLINK)) {
                state.report.problem(
                        "Directory inode %d has more than %d links, but dir_nlink is not set.",
                        Integer.toUnsignedLong(ino), InodeRecord.MAX_LINKS);
            }
            counted = 1;
        }
        int indexed = directory && links == 1 && state.fs.sb.has(Feature.DIR_NLINK) ? state.dirs.find(ino) : -1;
        if (indexed >= 0 && state.dirs.is(indexed, DirTable.INDEXED)) {
            return;
        }
        if (links != counted) {
            state.report.problem(
                    "Inode %d ref count is %d, should be %d.", Integer.toUnsignedLong(ino), links, counted);
        }
    }
}
