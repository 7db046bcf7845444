// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.image;

import java.util.List;

/** The filesystems that workloads run on. */
public enum Kind {
    /** As mke2fs makes them today, and with an orphan file. */
    ORPHAN_FILE(4096, false, "-O", "orphan_file,metadata_csum_seed"),
    /** The same, nearly full: what is freed is used again at once. */
    ORPHAN_FILE_FULL(2560, true, "-O", "orphan_file,metadata_csum_seed"),
    /** Without checksums, block numbers of 32 bits, orphans in a chain. */
    PLAIN(4096, false, "-O", "^metadata_csum,^64bit,^orphan_file,^resize_inode"),
    /** Small inodes, orphans in a chain, nearly full. */
    CHAIN_FULL(2560, true, "-I", "128", "-O", "^orphan_file,^resize_inode");

    /** Blocks that are left of a full one. */
    public static final int ROOM = 21;

    private final int blocks;
    private final boolean full;
    private final List<String> options;

    Kind(int blocks, boolean full, String... options) {
        this.blocks = blocks;
        this.full = full;
        this.options = List.of(options);
    }

    /** Blocks of the image. */
    public int blocks() {
        return blocks;
    }

    /** Whether only {@link #ROOM} blocks are free. */
    public boolean full() {
        return full;
    }

    /** For mke2fs(8). */
    public List<String> options() {
        return options;
    }
}
