// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

import ext4.format.FormatException;
import ext4.format.dir.DirBlock;
import ext4.format.dir.DirTail;
import ext4.format.dir.FileType;
import ext4.format.inode.FileMode;
import ext4.format.inode.InodeChecksum;
import ext4.format.inode.InodeRecord;
import ext4.format.inode.InodeTimes;
import ext4.format.jbd2.JournalSuperblock;
import ext4.format.orphan.OrphanBlock;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockInit;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;

/** Makes what a new filesystem contains: the root directory, lost+found, the journal and the orphan file. */
final class SystemFiles {
    static final int ROOT_INO = 2;
    private static final int JOURNAL_INO = 8;
    private static final int ORPHAN_INO = Geometry.LOST_FOUND_INO + 1;
    private static final byte[] LOST_FOUND = "lost+found".getBytes(StandardCharsets.US_ASCII);
    private static final int LOST_FOUND_BYTES = 16 << 10;
    private static final int LOST_FOUND_MOST_BLOCKS = 12;
    private static final int HIDDEN_FILE = FileMode.S_IFREG | 0600;

    private final MkfsOptions options;
    private final Superblock sb;
    private final Space space;
    private final InodeTables inodes;
    private final Output out;
    private final FileMapper mapper;

    SystemFiles(MkfsOptions options, Superblock sb, Space space, InodeTables inodes, Output out) {
        this.options = options;
        this.sb = sb;
        this.space = space;
        this.inodes = inodes;
        this.out = out;
        mapper = new FileMapper(sb, space, out);
    }

    /** The root directory with lost+found, which has room for names so that a repair needs no new blocks. */
    void directories() throws FormatException {
        int fileType = FileType.toStore(FileMode.S_IFDIR, sb.has(Feature.FILETYPE));
        int end = DirTail.entriesEnd(sb.blockSize(), sb.metadataCsum());
        List<Run> rootRuns = space.allocate(0, 1);
        byte[] root = directoryBlock();
        DirBlock.initDots(root, end, ROOT_INO, ROOT_INO, fileType);
        int room = DirBlock.findRoom(
                root, 0, end, LOST_FOUND.length, rootRuns.getFirst().start());
        DirBlock.insertAt(root, room, LOST_FOUND, 0, LOST_FOUND.length, Geometry.LOST_FOUND_INO, fileType);
        writeDirectoryBlock(rootRuns.getFirst().start(), root, ROOT_INO);
        byte[] record = newFile(FileMode.S_IFDIR | 0755, 3, sb.blockSize());
        InodeRecord.setUid(record, 0, options.rootUid());
        InodeRecord.setGid(record, 0, options.rootGid());
        store(ROOT_INO, record, rootRuns);

        int count = Math.min(LOST_FOUND_MOST_BLOCKS, LOST_FOUND_BYTES / sb.blockSize());
        List<Run> runs = space.allocate(0, count);
        boolean first = true;
        for (long pblk : FileMapper.blocks(runs)) {
            byte[] block = directoryBlock();
            if (first) {
                DirBlock.initDots(block, end, Geometry.LOST_FOUND_INO, ROOT_INO, fileType);
            } else {
                DirBlock.initEmpty(block, 0, end);
            }
            writeDirectoryBlock(pblk, block, Geometry.LOST_FOUND_INO);
            first = false;
        }
        byte[] lostFound = newFile(FileMode.S_IFDIR | 0700, 2, (long) count * sb.blockSize());
        store(Geometry.LOST_FOUND_INO, lostFound, runs);
    }

    private byte[] directoryBlock() {
        byte[] block = new byte[sb.blockSize()];
        if (sb.metadataCsum()) {
            DirTail.init(block);
        }
        return block;
    }

    private void writeDirectoryBlock(long pblk, byte[] block, int ino) {
        if (sb.metadataCsum()) {
            DirTail.seal(block, seed(ino));
        }
        out.block(pblk, block);
    }

    /** The journal, in the middle of the filesystem so that the way to it is short. */
    void journal(int blocks, SuperblockInit init) {
        int middle = sb.groupCount() / 2;
        int flex = sb.groupsPerFlex();
        int goal = sb.groupCount() > flex ? middle / flex * flex : middle;
        List<Run> runs = space.allocate(goal, blocks);
        for (Run run : runs) {
            out.zero(run.start(), run.count()); // old transactions must not be taken for new ones
        }
        byte[] first = new byte[sb.blockSize()];
        JournalSuperblock.init(first, sb.blockSize(), blocks, sb.uuidBytes(), 0);
        out.block(runs.getFirst().start(), first);
        byte[] record = newFile(HIDDEN_FILE, 1, (long) blocks * sb.blockSize());
        store(JOURNAL_INO, record, runs);
        init.journal(JOURNAL_INO, record, InodeRecord.iBlock(0), (long) blocks * sb.blockSize());
    }

    /** The orphan file: one block for each 4096 of the filesystem, 32 to 512. */
    void orphanFile(SuperblockInit init) {
        int count = orphanBlocks();
        List<Run> runs = space.allocate(0, count);
        Iterator<Long> places = FileMapper.blocks(runs).iterator();
        byte[] block = new byte[sb.blockSize()];
        while (places.hasNext()) {
            long pblk = places.next();
            OrphanBlock.init(block, sb.blockSize());
            OrphanBlock.seal(sb, seed(ORPHAN_INO), pblk, block);
            out.block(pblk, block);
        }
        store(ORPHAN_INO, newFile(HIDDEN_FILE, 1, (long) count * sb.blockSize()), runs);
        init.orphanFile(ORPHAN_INO);
    }

    private int orphanBlocks() {
        long share = sb.blocksCount() / 4096;
        return Math.clamp(share, 32, OrphanBlock.MAX_BLOCKS);
    }

    private void store(int ino, byte[] record, List<Run> runs) {
        mapper.map(record, runs, seed(ino));
        inodes.put(ino, record);
    }

    private int seed(int ino) {
        return InodeChecksum.seed(sb, ino, 0);
    }

    /** A record with mode, links, size in bytes and the time of creation. */
    byte[] newFile(int mode, int links, long size) {
        byte[] record = inodes.newRecord();
        long seconds = options.time().getEpochSecond();
        int bytes = sb.inodeSize();
        InodeRecord.setMode(record, 0, mode);
        InodeRecord.setLinks(record, 0, links);
        InodeRecord.setSize(record, 0, size);
        InodeTimes.setAtime(record, 0, bytes, seconds, 0);
        InodeTimes.setCtime(record, 0, bytes, seconds, 0);
        InodeTimes.setMtime(record, 0, bytes, seconds, 0);
        InodeTimes.setCrtime(record, 0, bytes, seconds, 0);
        return record;
    }
}
