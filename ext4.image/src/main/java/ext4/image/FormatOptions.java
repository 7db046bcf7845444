// SPDX-License-Identifier: Apache-2.0
package ext4.image;

/**
 * How a filesystem is made; the defaults are those of mke2fs(8).
 *
 * @param blockSize bytes: 1024, 2048, 4096, or 0 to choose by the size of the filesystem
 * @param features changes to the default features as for {@code mke2fs -O}, such as {@code ^has_journal}
 * @param label volume name, at most 16 bytes
 * @param reservedPercent blocks kept for root, 0 to 50
 */
public record FormatOptions(int blockSize, String features, String label, double reservedPercent) {
    /** As mke2fs makes it without options. */
    public static final FormatOptions DEFAULTS = new FormatOptions(0, "", "", 5);

    /** The same with this block size. */
    public FormatOptions withBlockSize(int bytes) {
        return new FormatOptions(bytes, features, label, reservedPercent);
    }

    /** The same with these changes to the default features. */
    public FormatOptions withFeatures(String list) {
        return new FormatOptions(blockSize, list, label, reservedPercent);
    }

    /** The same with this volume name. */
    public FormatOptions withLabel(String name) {
        return new FormatOptions(blockSize, features, name, reservedPercent);
    }

    /** The same with this reserve. */
    public FormatOptions withReservedPercent(double percent) {
        return new FormatOptions(blockSize, features, label, percent);
    }
}
