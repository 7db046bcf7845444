// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.api.block.BlockDevice;
import ext4.api.fs.DeviceException;
import ext4.format.FormatException;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Features;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Finds a superblock that can be used: the primary, else a backup; then all descriptors. */
final class SuperLoader {
    /** Descriptors beyond this many bytes are no filesystem that can be checked here. */
    private static final long MOST_DESCRIPTOR_BYTES = 256L << 20;

    /** The kernel mounts these, e2fsck does not know what to check. */
    private static final List<Feature> NOT_CHECKED =
            List.of(Feature.BTREE_DIR, Feature.LAZY_BG, Feature.EXCLUDE_BITMAP);

    private static final int[] BLOCK_SIZES = {1024, 2048, 4096, 8192, 16384, 32768, 65536};

    private final BlockDevice device;
    private final Report report;

    SuperLoader(BlockDevice device, Report report) {
        this.device = device;
        this.report = report;
    }

    /** The filesystem, or null: then the reason was printed. */
    Fs load() {
        byte[] raw = new byte[Superblock.SIZE];
        if (!read(Superblock.BYTE_OFFSET, raw)) {
            report.note("%s is too short for a filesystem (%d bytes).", device.name(), device.size());
            return null;
        }
        Superblock sb;
        try {
            Superblock.checkIdentity(raw, 0);
            if (refuses(Superblock.features(raw, 0))) {
                return null;
            }
            sb = Superblock.parse(raw);
        } catch (FormatException e) {
            report.problem("Superblock invalid: %s.", e.getMessage());
            sb = backup();
        }
        if (sb == null) {
            report.note("The superblock could not be read or does not describe a valid ext2/ext3/ext4 filesystem.");
            return null;
        }
        return load(sb);
    }

    private Fs load(Superblock sb) {
        if (device.size() >>> sb.blockBits() < sb.blocksCount()) {
            report.problem(
                    "The filesystem size (according to the superblock) is %d blocks."
                            + "  The physical size of the device is %d blocks.",
                    sb.blocksCount(), device.size() >>> sb.blockBits());
        }
        long bytes = (long) sb.groupCount() * sb.descSize();
        if (bytes > MOST_DESCRIPTOR_BYTES) {
            report.note("%s has too many groups to be checked (%d).", device.name(), sb.groupCount());
            return null;
        }
        Fs fs = new Fs(device, sb, report, new byte[(int) bytes]);
        descriptors(fs);
        return fs;
    }

    /** Whether the filesystem has features that are not known here; then they are named. */
    private boolean refuses(Features features) {
        List<String> unsupported = unsupported(features);
        if (unsupported.isEmpty()) {
            return false;
        }
        report.note("%s has unsupported feature(s): %s", device.name(), String.join(" ", unsupported));
        return true;
    }

    /** Looks where the first backup stands, for each block size. */
    private Superblock backup() {
        byte[] raw = new byte[Superblock.SIZE];
        for (int blockSize : BLOCK_SIZES) {
            long block = 8L * blockSize + (blockSize == 1024 ? 1 : 0);
            if (!read(block * blockSize, raw) || SuperblockFields.blockGroupNumber(raw, 0) == 0) {
                continue;
            }
            try {
                Superblock sb = Superblock.parse(raw);
                if (sb.blockSize() == blockSize && unsupported(sb.features()).isEmpty()) {
                    report.note("Trying the backup superblock in block %d.", block);
                    return sb;
                }
            } catch (FormatException e) {
                report.note("No backup superblock in block %d: %s.", block, e.getMessage());
            }
        }
        return null;
    }

    private boolean read(long offset, byte[] into) {
        if (offset + into.length > device.size()) {
            return false;
        }
        try {
            device.read(offset, ByteBuffer.wrap(into));
            return true;
        } catch (DeviceException e) {
            report.problem("Error reading the superblock at byte %d (%s).", offset, e.getMessage());
            return false;
        }
    }

    private static List<String> unsupported(Features features) {
        List<String> names = new ArrayList<>(features.unsupportedIncompat());
        names.addAll(features.unsupportedRoCompat());
        for (Feature feature : NOT_CHECKED) {
            if (features.has(feature)) {
                names.add(feature.mkeName());
            }
        }
        for (String name : features.names()) {
            if (Feature.named(name) == null && !names.contains(name)) {
                names.add(name);
            }
        }
        return names;
    }

    private void descriptors(Fs fs) {
        Superblock sb = fs.sb;
        byte[] block = new byte[sb.blockSize()];
        for (int index = 0; index < sb.descBlocks(); index++) {
            int first = index * sb.descsPerBlock();
            int count = Math.min(sb.descsPerBlock(), sb.groupCount() - first);
            if (fs.read(fs.layout.descBlock(index), 1, block, "the group descriptors")) {
                System.arraycopy(block, 0, fs.descs, fs.descOff(first), count * sb.descSize());
            }
        }
    }
}
