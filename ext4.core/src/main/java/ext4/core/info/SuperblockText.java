// SPDX-License-Identifier: Apache-2.0
package ext4.core.info;

import ext4.format.superblock.Feature;
import ext4.format.superblock.RawSuperblock;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import java.util.UUID;

/** The superblock's part of the text, in the order of dumpe2fs(8). */
final class SuperblockText {
    private static final UUID NO_UUID = new UUID(0, 0);

    private final RawSuperblock sb;
    private final byte[] raw;
    private final Lines lines;

    SuperblockText(RawSuperblock sb, Lines lines) {
        this.sb = sb;
        this.lines = lines;
        raw = sb.bytes();
    }

    void print() {
        identity();
        counts();
        groups();
        times();
        reservation();
        journal();
        new ErrorText(sb, lines).print();
        additions();
    }

    private void identity() {
        String mounted = SuperblockFields.lastMounted(raw, 0);
        lines.text("Filesystem volume name:", sb.volumeName().isEmpty() ? "<none>" : sb.volumeName());
        lines.text("Last mounted on:", mounted.isEmpty() ? "<not available>" : mounted);
        lines.text("Filesystem UUID:", uuid(sb.uuid()));
        lines.text("Filesystem magic number:", String.format("0x%04X", sb.magic()));
        lines.text("Filesystem revision #:", sb.revision() + " " + Names.revision(sb.revision()));
        lines.text("Filesystem features:", Names.list(sb.features().names()));
        if (sb.flags() != 0) {
            lines.text("Filesystem flags:", Names.flags(sb.flags()));
        }
        lines.text("Default mount options:", Names.list(Names.mountOptions(sb.defaultMountOpts())));
        if (!sb.mountOpts().isEmpty()) {
            lines.text("Mount options:", sb.mountOpts());
        }
        int state = SuperblockFields.state(raw, 0);
        lines.text(
                "Filesystem state:",
                ((state & Superblock.STATE_VALID) != 0 ? "clean" : "not clean")
                        + ((state & Superblock.STATE_ERROR) != 0 ? " with errors" : ""));
        lines.text("Errors behavior:", Names.errorsBehaviour(sb.errorsBehaviour()));
        lines.text("Filesystem OS type:", Names.creatorOs(sb.creatorOs()));
    }

    private void counts() {
        lines.number("Inode count:", sb.inodesCount());
        lines.number("Block count:", sb.blocksCount());
        lines.number("Reserved block count:", sb.reservedBlocks());
        lines.nonZero("Overhead clusters:", SuperblockFields.overheadBlocks(raw, 0));
        lines.number("Free blocks:", SuperblockFields.freeBlocks(raw, 0));
        lines.number("Free inodes:", SuperblockFields.freeInodes(raw, 0));
        lines.number("First block:", sb.firstDataBlock());
        lines.number("Block size:", sb.blockSize());
        lines.number(has(Feature.BIGALLOC) ? "Cluster size:" : "Fragment size:", sb.clusterSize());
    }

    private void groups() {
        if (has(Feature.BIT64)) {
            lines.number("Group descriptor size:", sb.descSize());
        }
        lines.nonZero("Reserved GDT blocks:", sb.reservedGdtBlocks());
        lines.number("Blocks per group:", sb.blocksPerGroup());
        lines.number(has(Feature.BIGALLOC) ? "Clusters per group:" : "Fragments per group:", sb.clustersPerGroup());
        lines.number("Inodes per group:", sb.inodesPerGroup());
        if (sb.blockSize() != 0) {
            long perBlock = Math.max(1, sb.blockSize() / Math.max(1, sb.inodeSize()));
            lines.number("Inode blocks per group:", (sb.inodesPerGroup() + perBlock - 1) / perBlock);
        }
        lines.nonZero("First meta block group:", sb.firstMetaBg());
        lines.nonZero("RAID stride:", sb.raidStride());
        lines.nonZero("RAID stripe width:", sb.raidStripeWidth());
        if (sb.logGroupsPerFlex() != 0) {
            lines.number("Flex block group size:", 1L << sb.logGroupsPerFlex());
        }
    }

    private void times() {
        if (SuperblockFields.mkfsTime(raw, 0) != 0) {
            lines.time("Filesystem created:", SuperblockFields.mkfsTime(raw, 0));
        }
        if (SuperblockFields.mountTime(raw, 0) == 0) {
            lines.text("Last mount time:", "n/a");
        } else {
            lines.time("Last mount time:", SuperblockFields.mountTime(raw, 0));
        }
        lines.time("Last write time:", SuperblockFields.writeTime(raw, 0));
        lines.number("Mount count:", SuperblockFields.mountCount(raw, 0));
        lines.text("Maximum mount count:", Integer.toString(SuperblockFields.maxMountCount(raw, 0)));
        lines.time("Last checked:", SuperblockFields.checkTime(raw, 0));
        long interval = sb.checkInterval();
        lines.text("Check interval:", interval + " (" + Names.interval(interval) + ")");
        if (interval != 0) {
            lines.time("Next check after:", SuperblockFields.checkTime(raw, 0) + interval);
        }
        if (SuperblockFields.kbytesWritten(raw, 0) != 0) {
            lines.text("Lifetime writes:", Names.kbytes(SuperblockFields.kbytesWritten(raw, 0)));
        }
    }

    private void reservation() {
        lines.text(
                "Reserved blocks uid:",
                sb.reservedUid() + " (user " + Accounts.name("/etc/passwd", sb.reservedUid()) + ")");
        lines.text(
                "Reserved blocks gid:",
                sb.reservedGid() + " (group " + Accounts.name("/etc/group", sb.reservedGid()) + ")");
        if (sb.revision() > 0) {
            lines.number("First inode:", sb.firstIno());
            lines.whole("Inode size:\t          " + sb.inodeSize());
            lines.nonZero("Required extra isize:", sb.minExtraIsize());
            lines.nonZero("Desired extra isize:", sb.wantExtraIsize());
        }
    }

    private void journal() {
        if (!sb.journalUuid().equals(NO_UUID)) {
            lines.text("Journal UUID:", uuid(sb.journalUuid()));
        }
        lines.nonZero("Journal inode:", sb.journalIno());
        if (sb.journalDevice() != 0) {
            lines.whole(String.format("Journal device:\t          0x%04x", sb.journalDevice()));
        }
        lines.nonZero("First orphan inode:", Integer.toUnsignedLong(SuperblockFields.lastOrphan(raw, 0)));
        if (has(Feature.DIR_INDEX) || sb.defaultHashVersion() != 0) {
            lines.text("Default directory hash:", Names.hash(sb.defaultHashVersion()));
        }
        if (!sb.hashSeed().equals(NO_UUID)) {
            lines.text("Directory Hash Seed:", uuid(sb.hashSeed()));
        }
        if (sb.journalBackupType() == 1) {
            lines.text("Journal backup:", "inode blocks");
        } else if (sb.journalBackupType() != 0) {
            lines.text("Journal backup:", "type " + sb.journalBackupType());
        }
        if (has(Feature.SPARSE_SUPER2)) {
            String backups = (sb.backupGroup(0) == 0 ? "" : sb.backupGroup(0) + " ")
                    + (sb.backupGroup(1) == 0 ? "" : sb.backupGroup(1) + " ");
            lines.text("Backup block groups:", backups.isEmpty() ? "none" : backups);
        }
    }

    private void additions() {
        if (has(Feature.MMP)) {
            lines.number("MMP block number:", sb.mmpBlock());
            lines.number("MMP update interval:", sb.mmpUpdateInterval());
        }
        lines.nonZero("User quota inode:", sb.userQuotaIno());
        lines.nonZero("Group quota inode:", sb.groupQuotaIno());
        lines.nonZero("Project quota inode:", sb.projectQuotaIno());
        if (has(Feature.METADATA_CSUM)) {
            lines.text("Checksum type:", sb.checksumType() == 1 ? "crc32c" : "unknown " + sb.checksumType());
            lines.hex("Checksum:", sb.storedChecksum());
        }
        if (has(Feature.CSUM_SEED)) {
            lines.hex("Checksum seed:", sb.checksumSeed());
        }
        if (has(Feature.CASEFOLD)) {
            lines.text("Character encoding:", sb.encoding() == 1 ? "utf8-12.1" : "UNKNOWN_ENCODING_" + sb.encoding());
        }
        if (has(Feature.ORPHAN_FILE)) {
            lines.nonZero("Orphan file inode:", sb.orphanFileIno());
        }
    }

    private boolean has(Feature feature) {
        return sb.features().has(feature);
    }

    private static String uuid(UUID uuid) {
        return uuid.equals(NO_UUID) ? "<none>" : uuid.toString();
    }
}
