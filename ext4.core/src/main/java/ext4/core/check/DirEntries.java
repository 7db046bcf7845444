// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.format.dir.DirEntry;
import ext4.format.dir.FileType;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;

/** Judges single entries, and counts the links they are. */
final class DirEntries {
    private final State state;
    private final Superblock sb;
    private final Report report;
    private final SpecialInodes special;
    private final boolean filetype;
    private int dir;
    private long ino;
    private int dots;

    DirEntries(State state) {
        this.state = state;
        sb = state.fs.sb;
        report = state.report;
        special = new SpecialInodes(state);
        filetype = sb.has(Feature.FILETYPE);
    }

    void begin(int directory) {
        dir = directory;
        ino = Integer.toUnsignedLong(state.dirs.ino(directory));
        dots = 0;
    }

    /** The first (0) or second (1) entry of the first block. */
    void dot(byte[] b, int at, int which) {
        dots++;
        int target = DirEntry.inode(b, at);
        boolean named = which == 0 ? DirEntry.isDot(b, at) : DirEntry.isDotDot(b, at);
        if (target == 0 || !named) {
            report.problem(
                    "%s entry '%s' (inode=%d) in directory inode %d should be '%s'.",
                    which == 0 ? "First" : "Second",
                    name(b, at),
                    Integer.toUnsignedLong(target),
                    ino,
                    which == 0 ? "." : "..");
            return;
        }
        if (b[DirEntry.nameOffset(at) + DirEntry.nameLen(b, at)] != 0) {
            report.problem("'%s' entry in directory inode %d is not NULL terminated.", name(b, at), ino);
        }
        if (which == 0 && target != state.dirs.ino(dir)) {
            report.problem("Entry '.' in directory inode %d points to inode %d.", ino, Integer.toUnsignedLong(target));
        }
        if (!state.fs.isInode(target) || isSpecial(target) && target != SpecialInodes.ROOT) {
            report.problem(
                    "Entry '%s' in directory inode %d has invalid inode #: %d.",
                    name(b, at), ino, Integer.toUnsignedLong(target));
            return;
        }
        if (which == 1) {
            state.dirs.setDotDot(dir, target);
        }
        known(b, at, target);
    }

    /** Any other entry in use; whether its name counts as one. */
    boolean check(byte[] b, int at, long lblk) {
        int target = DirEntry.inode(b, at);
        if (DirEntry.isDot(b, at) || DirEntry.isDotDot(b, at)) {
            report.problem("Entry '%s' in directory inode %d (block #%d) is a duplicate.", name(b, at), ino, lblk);
            return false;
        }
        if (!nameHolds(b, at)) {
            report.problem("Entry '%s' in directory inode %d has illegal characters in its name.", name(b, at), ino);
        }
        if (!state.fs.isInode(target) || isSpecial(target)) {
            report.problem(
                    "Entry '%s' in directory inode %d has invalid inode #: %d.",
                    name(b, at), ino, Integer.toUnsignedLong(target));
            return true;
        }
        if (known(b, at, target) && state.inodes.isDirectory(target)) {
            parent(b, at, target);
        }
        return true;
    }

    /** The root is none of the others' either. */
    private boolean isSpecial(int target) {
        return target == SpecialInodes.ROOT || special.isUnnameable(target);
    }

    private static boolean nameHolds(byte[] b, int at) {
        int name = DirEntry.nameOffset(at);
        int length = DirEntry.nameLen(b, at);
        for (int i = name; i < name + length; i++) {
            if (b[i] == 0 || b[i] == '/') {
                return false;
            }
        }
        return length > 0;
    }

    /** Whether the inode is in use; counts the link and compares the type. */
    private boolean known(byte[] b, int at, int target) {
        if (!state.inodes.used(target)) {
            int group = state.fs.layout.groupOfInode(target);
            boolean unscanned = state.fs.layout.indexOfInode(target) >= state.fs.inodesToScan(group);
            report.problem(
                    unscanned
                            ? "Entry '%s' in directory inode %d references inode %d found in group %d's unused"
                                    + " inodes area."
                            : "Entry '%s' in directory inode %d has deleted/unused inode %d.",
                    name(b, at),
                    ino,
                    Integer.toUnsignedLong(target),
                    group);
            return false;
        }
        state.inodes.count(target);
        int type = state.inodes.type(target) == InodeTally.UNKNOWN_TYPE ? 0 : state.inodes.type(target);
        int expected = filetype ? type : FileType.UNKNOWN;
        int found = DirEntry.fileType(b, at);
        if (found != expected && !(filetype && found == FileType.UNKNOWN)) {
            report.problem(
                    "Entry '%s' in directory inode %d has an incorrect filetype (was %d, should be %d).",
                    name(b, at), ino, found, expected);
        }
        return true;
    }

    private void parent(byte[] b, int at, int target) {
        int child = state.dirs.find(target);
        if (child < 0) {
            return;
        }
        if (state.dirs.parent(child) != 0) {
            report.problem(
                    "Entry '%s' in directory inode %d is a link to directory inode %d (in %d already).",
                    name(b, at), ino, Integer.toUnsignedLong(target), Integer.toUnsignedLong(state.dirs.parent(child)));
            return;
        }
        state.dirs.setParent(child, state.dirs.ino(dir));
    }

    void end() {
        if (dots < 2) {
            report.problem("Missing '%s' in directory inode %d.", dots == 0 ? "." : "..", ino);
        }
    }

    private static String name(byte[] b, int at) {
        int room = b.length - DirEntry.nameOffset(at);
        return Report.printable(b, DirEntry.nameOffset(at), Math.min(DirEntry.nameLen(b, at), room));
    }
}
