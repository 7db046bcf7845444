// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

import ext4.api.block.BlockDevice;
import ext4.format.FormatException;
import ext4.format.group.GroupLayout;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Makes an ext4 filesystem on a device, as mke2fs(8) does. */
public final class Mkfs {
    /** What may hold traces of another filesystem at either end of the device, in bytes. */
    private static final int WIPED = 64 << 10;

    private final BlockDevice device;
    private final MkfsOptions options;
    private final Geometry geometry;
    private final Superblock sb;
    private final GroupLayout layout;
    private final int journalBlocks;
    private final Output out;

    private Mkfs(BlockDevice device, MkfsOptions options) {
        this.device = device;
        this.options = options;
        geometry = new Geometry(options, new MkfsFeatures(options.features()), device.size());
        sb = geometry.superblock();
        layout = geometry.layout();
        journalBlocks = geometry.journalBlocks();
        out = new Output(device, sb.blockBits(), options.zeroed());
    }

    /**
     * Makes the filesystem; on return it is durable. What the device held is lost. One thread.
     *
     * @param device whose size was set before
     * @param progress is told in a few lines what is made
     * @throws MkfsException if there can be no such filesystem; the device may then have been cleared in part
     * @throws ext4.api.fs.DeviceException if the device fails
     */
    public static void run(BlockDevice device, MkfsOptions options, PrintWriter progress) {
        if (device.readOnly()) {
            throw new MkfsException(device.name() + " is read-only");
        }
        new Mkfs(device, options).make(progress);
        progress.flush();
    }

    private void make(PrintWriter progress) {
        announce(progress);
        Placement placement = new Placement(sb, layout);
        Space space = new Space(sb, layout, placement);
        InodeTables inodes = new InodeTables(sb, layout, placement);
        boolean lazy = options.lazyTables() && sb.groupFlagsValid();
        GroupWriter groups = new GroupWriter(sb, layout, placement, space, inodes, options.zeroed() || !lazy);
        wipe();
        if (!lazy) {
            groups.zeroTables(out);
        }
        contents(space, inodes);
        inodes.write(out);
        groups.bitmaps(out);
        groups.descriptors(out);
        superblocks(groups);
        progress.println("Done: " + groups.freeBlocks() + " blocks and " + groups.freeInodes() + " inodes are free");
    }

    private void announce(PrintWriter progress) {
        progress.println("Creating filesystem with " + sb.blocksCount() + " blocks of " + sb.blockSize() + " bytes and "
                + Integer.toUnsignedString(sb.inodesCount()) + " inodes");
        progress.println("Filesystem UUID: " + sb.uuid());
        if (!sb.has(Feature.HAS_JOURNAL)) {
            progress.println("The filesystem has no journal");
        }
        int[] backups = Backups.of(sb, layout);
        if (backups.length > 0) {
            progress.println("Superblock backups stored on blocks: "
                    + Arrays.stream(backups)
                            .mapToObj(group -> Long.toString(layout.superBlock(group)))
                            .collect(Collectors.joining(", ")));
        }
    }

    /** Takes away what another program could recognise, the old superblock first of all. */
    private void wipe() {
        long size = device.size();
        if (options.zeroed()) {
            return;
        }
        if (options.discard()) {
            device.discard(0, size);
        }
        device.zero(0, Math.min(WIPED, size));
        if (size > WIPED) {
            device.zero(size - WIPED, WIPED);
        }
        device.flush();
    }

    private void contents(Space space, InodeTables inodes) {
        SystemFiles files = new SystemFiles(options, sb, space, inodes, out);
        try {
            files.directories();
        } catch (FormatException e) {
            throw new IllegalStateException("a new directory block has no room", e);
        }
        if (sb.has(Feature.RESIZE_INODE)) {
            new ResizeInode(sb, layout).make(space, files, inodes, out);
        }
        if (journalBlocks > 0) {
            files.journal(journalBlocks, geometry.init());
        }
        if (sb.has(Feature.ORPHAN_FILE)) {
            files.orphanFile(geometry.init());
        }
    }

    /** Copies first: once the primary superblock is there, so is all the rest. */
    private void superblocks(GroupWriter groups) {
        byte[] primary = geometry.init().bytes();
        long seconds = options.time().getEpochSecond();
        SuperblockFields.setFreeBlocks(primary, 0, groups.freeBlocks());
        SuperblockFields.setFreeInodes(primary, 0, groups.freeInodes());
        SuperblockFields.setMkfsTime(primary, 0, seconds);
        SuperblockFields.setWriteTime(primary, 0, seconds);
        SuperblockFields.setCheckTime(primary, 0, seconds);
        SuperblockFields.setOverheadBlocks(primary, 0, overhead());
        SuperblockFields.setKbytesWritten(primary, 0, (out.written() + sb.blockSize() >>> 10) + 1);
        for (int group : Backups.of(sb, layout)) {
            byte[] copy = Arrays.copyOf(primary, sb.blockSize());
            SuperblockFields.setState(copy, 0, 0); // a copy is not kept up to date, so it never vouches for anything
            SuperblockFields.setBlockGroupNumber(copy, 0, group);
            SuperblockFields.seal(copy, 0);
            out.block(layout.superBlock(group), copy);
        }
        out.flush();
        SuperblockFields.seal(primary, 0);
        requireReadable(primary);
        byte[] block = new byte[sb.blockSize()];
        System.arraycopy(primary, 0, block, sb.offsetInBlock(), Superblock.SIZE);
        out.block(sb.block(), block);
        out.flush();
    }

    private void requireReadable(byte[] primary) {
        try {
            Superblock.parse(primary, 0).checkDevice(device.size());
        } catch (FormatException e) {
            throw new IllegalStateException("the new superblock is not valid", e);
        }
    }

    /** Blocks that can never hold files: fixed metadata and the journal. */
    private long overhead() {
        long blocks = sb.firstDataBlock() + (long) journalBlocks;
        for (int group = 0; group < sb.groupCount(); group++) {
            blocks += layout.baseMetadataBlocks(group) + 2 + sb.inodeTableBlocks();
        }
        return blocks;
    }
}
