// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

import ext4.api.fs.CorruptException;
import ext4.core.alloc.SystemZone;
import ext4.core.volume.Evidence;
import ext4.core.volume.Volume;
import ext4.format.extent.ExtentCheck;
import ext4.format.extent.ExtentNode;
import ext4.format.inode.BlockMap;
import ext4.format.inode.FileMode;
import ext4.format.inode.InodeFlags;
import ext4.format.inode.InodeRecord;
import ext4.format.inode.InodeTimes;
import ext4.format.inode.RecordSeal;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;

/** Between a raw record and {@link Inode}. The record lock is held. */
final class InodeCodec {
    private static final int POINTERS = 15;
    private static final long LOW_32 = 0xFFFF_FFFFL;

    private final Superblock sb;
    private final int size;
    private final SystemZone zone;
    private final RecordSeal seal;

    InodeCodec(Volume volume, SystemZone zone) {
        sb = volume.superblock();
        size = sb.inodeSize();
        this.zone = zone;
        seal = new RecordSeal(sb);
    }

    /** Whether the record was never written or is freed: nothing in it needs to be right. */
    static boolean unused(byte[] b, int off) {
        return InodeRecord.links(b, off) == 0 && InodeRecord.mode(b, off) == 0;
    }

    /** Reads all fields. */
    void decode(byte[] b, int off, Inode inode) {
        inode.generation = InodeRecord.generation(b, off);
        inode.mode = InodeRecord.mode(b, off);
        inode.uid = InodeRecord.uid(b, off);
        inode.gid = InodeRecord.gid(b, off);
        inode.nlink = InodeRecord.links(b, off);
        inode.size = InodeRecord.size(b, off);
        inode.sectors = InodeRecord.sectors(sb, b, off);
        inode.flags = InodeRecord.flags(b, off);
        inode.version = InodeRecord.version(b, off, size);
        long acl = InodeRecord.fileAcl(b, off);
        inode.xattrBlock = sb.has(Feature.BIT64) ? acl : acl & LOW_32; // as the kernel: the high part is nothing then
        inode.projectId = InodeRecord.projectId(b, off, size);
        inode.extraIsize = InodeRecord.extraIsize(b, off, size);
        inode.atime = InodeTimes.atime(b, off, size);
        inode.atimeNanos = InodeTimes.atimeNanos(b, off, size);
        inode.mtime = InodeTimes.mtime(b, off, size);
        inode.mtimeNanos = InodeTimes.mtimeNanos(b, off, size);
        inode.ctime = InodeTimes.ctime(b, off, size);
        inode.ctimeNanos = InodeTimes.ctimeNanos(b, off, size);
        inode.crtime = InodeTimes.crtime(b, off, size);
        inode.crtimeNanos = InodeTimes.crtimeNanos(b, off, size);
        System.arraycopy(b, InodeRecord.iBlock(off), inode.iBlock, 0, Inode.I_BLOCK_BYTES);
        renewKey(inode, b, off);
    }

    /** The generation, or what is behind the fields, is set: makes the key to the record's checksum. */
    void renewKey(Inode inode, byte[] b, int off) {
        inode.sealKey = seal.key(inode.ino, inode.generation, b, off);
    }

    /** Makes the checksum of the record. */
    void seal(Inode inode, byte[] b, int off) {
        seal.seal(b, off, inode.sealKey);
    }

    /** Checks a record that is in use and what was decoded of it. */
    void check(byte[] b, int off, Inode inode, long pblk) {
        Evidence.check(() -> InodeRecord.check(sb, inode.ino, b, off, pblk));
        if (!FileMode.isKnown(inode.mode) && inode.ino >= sb.firstIno()) {
            throw new CorruptException(
                    inode.toString(), pblk, "i_mode", Integer.toOctalString(inode.mode), "one of the seven types");
        }
        if (inode.xattrBlock != 0 && !volumeHas(inode.xattrBlock)) {
            throw new CorruptException(
                    inode.toString(), pblk, "i_file_acl", Long.toString(inode.xattrBlock), "a block outside metadata");
        }
        boolean mapped = inode.isRegular() || inode.isDirectory() || inode.isSymlink();
        if (!mapped || inode.hasFlag(InodeFlags.INLINE_DATA)) {
            return;
        }
        if (!inode.hasFlag(InodeFlags.EXTENTS)) {
            checkPointers(inode, pblk);
            return;
        }
        Evidence.check(() -> ExtentCheck.root(sb, inode.ino, inode.iBlock, 0, pblk));
        if (ExtentNode.isLeaf(inode.iBlock, 0)) {
            for (int i = 0; i < ExtentNode.entries(inode.iBlock, 0); i++) {
                long start = ExtentNode.start(inode.iBlock, 0, i);
                if (zone.overlaps(start, ExtentNode.length(inode.iBlock, 0, i))) {
                    throw new CorruptException(
                            inode.toString(), pblk, "ee_start", Long.toString(start), "blocks outside metadata");
                }
            }
        }
    }

    /** The pointers of a block map that stand in the record; a fast symbolic link or a device has none. */
    private void checkPointers(Inode inode, long pblk) {
        long attributes = inode.xattrBlock == 0 ? 0 : sb.xattrBlockSectors();
        if (inode.isSymlink() && inode.sectors <= attributes) {
            return;
        }
        for (int slot = 0; slot < POINTERS; slot++) {
            long target = BlockMap.pointer(inode.iBlock, slot);
            if (target != 0 && !volumeHas(target)) {
                throw new CorruptException(
                        inode.toString(), pblk, "i_block " + slot, Long.toString(target), "a block outside metadata");
            }
        }
    }

    private boolean volumeHas(long pblk) {
        return pblk > sb.block() && pblk < sb.blocksCount() && !zone.overlaps(pblk, 1);
    }

    /** Writes all fields but i_dtime; {@link #seal} is due. */
    void encode(Inode inode, byte[] b, int off) {
        InodeRecord.setMode(b, off, inode.mode);
        InodeRecord.setUid(b, off, inode.uid);
        InodeRecord.setGid(b, off, inode.gid);
        InodeRecord.setLinks(b, off, inode.nlink);
        InodeRecord.setSize(b, off, inode.size);
        InodeRecord.setFlags(b, off, inode.flags);
        if (!InodeRecord.setSectors(sb, b, off, inode.sectors)) {
            throw new CorruptException(
                    inode.toString(),
                    -1,
                    "i_blocks",
                    Long.toString(inode.sectors),
                    "a number that the record can hold");
        }
        InodeRecord.setGeneration(b, off, inode.generation);
        InodeRecord.setFileAcl(b, off, inode.xattrBlock);
        InodeRecord.setExtraIsize(b, off, size, inode.extraIsize);
        InodeRecord.setVersion(b, off, size, inode.version);
        InodeRecord.setProjectId(b, off, size, inode.projectId);
        InodeTimes.setAtime(b, off, size, inode.atime, inode.atimeNanos);
        InodeTimes.setMtime(b, off, size, inode.mtime, inode.mtimeNanos);
        InodeTimes.setCtime(b, off, size, inode.ctime, inode.ctimeNanos);
        InodeTimes.setCrtime(b, off, size, inode.crtime, inode.crtimeNanos);
        System.arraycopy(inode.iBlock, 0, b, InodeRecord.iBlock(off), Inode.I_BLOCK_BYTES);
    }
}
