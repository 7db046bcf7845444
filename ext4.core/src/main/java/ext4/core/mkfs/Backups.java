// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

import ext4.format.group.GroupLayout;
import ext4.format.superblock.Superblock;
import java.util.stream.IntStream;

/** The groups after the first that carry a copy of the superblock. */
final class Backups {
    private Backups() {}

    static int[] of(Superblock sb, GroupLayout layout) {
        return IntStream.range(1, sb.groupCount()).filter(layout::hasSuper).toArray();
    }
}
