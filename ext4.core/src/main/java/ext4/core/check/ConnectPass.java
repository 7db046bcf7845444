// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import java.util.Arrays;

/** Pass 3: every directory hangs from the root, and its ".." says where. */
final class ConnectPass {
    private final State state;
    private final DirTable dirs;
    private int[] way = new int[64];

    ConnectPass(State state) {
        this.state = state;
        dirs = state.dirs;
    }

    void run() {
        int root = dirs.find(SpecialInodes.ROOT);
        if (root < 0) {
            state.report.problem("Root inode not allocated.");
        } else {
            dirs.mark(root, DirTable.CONNECTED);
            if (dirs.parent(root) != 0) {
                state.report.problem(
                        "The root directory has an entry in directory inode %d.",
                        Integer.toUnsignedLong(dirs.parent(root)));
            }
            dirs.setParent(root, SpecialInodes.ROOT);
        }
        for (int dir = 0; dir < dirs.size(); dir++) {
            connect(dir);
            dotDot(dir);
        }
    }

    private void connect(int dir) {
        int length = 0;
        int at = dir;
        while (at >= 0 && !dirs.is(at, DirTable.CONNECTED | DirTable.ON_WAY)) {
            dirs.mark(at, DirTable.ON_WAY);
            if (length == way.length) {
                way = Arrays.copyOf(way, 2 * length);
            }
            way[length++] = at;
            at = dirs.parent(at) == 0 ? -1 : dirs.find(dirs.parent(at));
        }
        if (at < 0 || dirs.is(at, DirTable.ON_WAY) && !dirs.is(at, DirTable.CONNECTED)) {
            int top = way[length - 1];
            state.report.problem(
                    "Unconnected directory inode %d (was in %d).",
                    Integer.toUnsignedLong(dirs.ino(top)), Integer.toUnsignedLong(dirs.dotDot(top)));
        }
        for (int i = 0; i < length; i++) {
            dirs.unmark(way[i], DirTable.ON_WAY);
            dirs.mark(way[i], DirTable.CONNECTED);
        }
    }

    private void dotDot(int dir) {
        if (dirs.is(dir, DirTable.UNREADABLE) || dirs.parent(dir) == 0) {
            return;
        }
        if (dirs.dotDot(dir) != dirs.parent(dir)) {
            state.report.problem(
                    "'..' in directory inode %d is %d, should be %d.",
                    Integer.toUnsignedLong(dirs.ino(dir)),
                    Integer.toUnsignedLong(dirs.dotDot(dir)),
                    Integer.toUnsignedLong(dirs.parent(dir)));
        }
    }
}
