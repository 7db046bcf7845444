// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import java.util.List;
import java.util.UUID;

/**
 * The filesystem that a round is on.
 *
 * @param options of mke2fs(8)
 * @param bytes size of the image
 * @param uuid of the filesystem and seed of its hashes
 */
record Setting(String options, long bytes, String uuid) {
    /** Of an image, 32 MiB. */
    static final long BYTES = 32L << 20;

    /** In turn, where no options are given. */
    static final List<String> ALL = List.of(
            "-b 1024",
            "-b 4096",
            "-b 2048 -O orphan_file",
            "-b 1024 -O ^has_journal",
            "-b 4096 -O ^metadata_csum",
            "-b 1024 -O ^64bit -g 2048",
            "-b 1024 -I 128",
            "-b 4096 -O ^dir_index",
            "-b 2048 -O ^64bit,^metadata_csum",
            "-b 1024 -O orphan_file,^dir_index",
            "-b 4096 -O orphan_file -g 2048",
            "-b 4096 -O ^has_journal,^metadata_csum -I 128",
            "-b 1024 -O ^huge_file,^dir_nlink,^large_file,^sparse_super,^resize_inode,^flex_bg,uninit_bg,^metadata_csum",
            "-b 2048 -O ^has_journal,^dir_index,^64bit -I 128",
            "-b 1024 -N 96",
            "-b 1024 -O ^extents,^64bit",
            "-b 4096 -O ^extents,^64bit,^has_journal");

    static Setting of(String options, long seed) {
        return new Setting(options, BYTES, new UUID(seed * 31 + options.hashCode(), seed | Long.MIN_VALUE).toString());
    }

    long blockSize() {
        for (int size : new int[] {1024, 2048, 4096}) {
            if (options.contains("-b " + size)) {
                return size;
            }
        }
        return 1024;
    }
}
