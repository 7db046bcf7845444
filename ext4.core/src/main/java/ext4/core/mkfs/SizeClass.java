// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

/** Block size and bytes per inode that mke2fs.conf(5) gives a filesystem by its length. */
record SizeClass(int blockSize, int inodeRatio) {
    private static final long MIB = 1L << 20;
    private static final long TIB = 1L << 40;

    static SizeClass of(MkfsOptions options, long deviceBytes) {
        int unit = options.blockSize() == 0 ? 1024 : options.blockSize();
        long bytes = options.blocks() == 0 ? deviceBytes : Math.min(options.blocks(), deviceBytes / unit) * unit;
        if (bytes < 3 * MIB) {
            return new SizeClass(1024, 8192);
        }
        if (bytes < 512 * MIB) {
            return new SizeClass(1024, 4096);
        }
        if (bytes < 4 * TIB) {
            return new SizeClass(4096, 16384);
        }
        return new SizeClass(4096, bytes < 16 * TIB ? 32768 : 65536);
    }
}
