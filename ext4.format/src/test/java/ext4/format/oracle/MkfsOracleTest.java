// SPDX-License-Identifier: Apache-2.0
package ext4.format.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.format.group.Bitmap;
import ext4.format.group.BitmapChecksum;
import ext4.format.group.GroupDesc;
import ext4.format.inode.BlockMap;
import ext4.format.inode.DeviceNumber;
import ext4.format.inode.FileMode;
import ext4.format.inode.InodeChecksum;
import ext4.format.inode.InodeRecord;
import ext4.format.inode.InodeTimes;
import ext4.format.orphan.OrphanBlock;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Images of mke2fs, filled by debugfs, read here: every checksum, count and place agrees with dumpe2fs and debugfs. */
class MkfsOracleTest {
    private static final String FAST_TARGET = "f".repeat(59);
    private static final String SLOW_TARGET = "s".repeat(60);

    @TempDir
    private Path folder;

    private Path source;
    private Path image;

    @BeforeAll
    static void tools() {
        E2fs.assumeInstalled();
    }

    @ParameterizedTest(name = "-b {0} -I {1} -O {3}")
    @CsvSource(
            delimiter = '|',
            value = {
                "1024 | 256 |  64M | metadata_csum,64bit",
                "2048 | 256 | 128M | metadata_csum,64bit",
                "4096 | 256 | 512M | metadata_csum,64bit",
                "4096 | 256 | 512M | metadata_csum,^64bit",
                "1024 | 256 |  64M | ^metadata_csum,^64bit",
                "1024 | 256 |  64M | ^metadata_csum,uninit_bg,^64bit",
                "2048 | 256 | 128M | ^metadata_csum,uninit_bg,64bit",
                "4096 | 256 | 512M | metadata_csum,metadata_csum_seed,orphan_file,64bit",
                "1024 | 256 |  64M | metadata_csum,metadata_csum_seed,orphan_file,64bit,^flex_bg",
                "1024 | 256 | 640M | metadata_csum,64bit,meta_bg,^resize_inode",
                "1024 | 256 | 640M | metadata_csum,64bit,meta_bg,^resize_inode,^flex_bg",
                "1024 | 256 |  64M | metadata_csum,64bit,sparse_super2",
                "1024 | 256 |  64M | metadata_csum,64bit,^sparse_super,^resize_inode,^flex_bg",
                "1024 | 128 |  64M | metadata_csum,64bit",
                "1024 | 256 |  64M | ^metadata_csum,^64bit,^extent,^flex_bg,^has_journal,^huge_file",
                "4096 | 1024 | 300M | metadata_csum,64bit,^has_journal",
            })
    void agreesWithTheTools(int blockSize, int inodeSize, String size, String features) throws Exception {
        make(blockSize, inodeSize, size, features);
        fill();
        try (TestImage read = new TestImage(image)) {
            superblock(read);
            groups(read);
            copies(read);
            usedInodes(read);
            files(read);
            resizeInode(read);
            orphanFile(read);
            assertThat(read.deepest)
                    .as("depth of the extent tree that was walked")
                    .isEqualTo(!read.sb.has(Feature.EXTENTS) ? 0 : blockSize < 4096 ? 2 : 1);
        }
    }

    private void make(int blockSize, int inodeSize, String size, String features) throws Exception {
        image = folder.resolve("image");
        String[] options = {
            "-q", "-F", "-t", "ext4", "-b", "" + blockSize, "-I", "" + inodeSize, "-O", features, "-L", "oracle"
        };
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.add(image.toString());
        arguments.add(size.strip());
        E2fs.run("mke2fs", arguments.toArray(String[]::new));
    }

    /** A file of 700 pieces with holes between, links and a device. */
    private void fill() throws Exception {
        source = folder.resolve("source");
        Random random = new Random(42);
        try (RandomAccessFile file = new RandomAccessFile(source.toFile(), "rw")) {
            byte[] piece = new byte[4096];
            for (int i = 0; i < 700; i++) {
                random.nextBytes(piece);
                file.seek(i * 8192L);
                file.write(piece, 0, i == 699 ? 1234 : 4096);
            }
        }
        Path commands = folder.resolve("commands");
        Files.write(
                commands,
                List.of(
                        "mkdir directory",
                        "write " + source + " pieces",
                        "symlink fast " + FAST_TARGET,
                        "symlink slow " + SLOW_TARGET,
                        "mknod terminal c 5 1",
                        "mknod big b 300 2000",
                        "sif pieces mtime_extra 0x1D6F3456",
                        "sif pieces version 0x77",
                        "sif pieces uid 100000",
                        "sif pieces gid 200000"));
        E2fs.run("debugfs", "-w", "-f", commands.toString(), image.toString());
    }

    private void superblock(TestImage read) throws Exception {
        String text = E2fs.run("dumpe2fs", "-h", image.toString());
        Superblock sb = read.sb;
        assertThat(sb.features().names())
                .containsExactlyInAnyOrder(value(text, "Filesystem features").split(" +"));
        assertThat(sb.features().unsupportedIncompat()).isEmpty();
        assertThat(sb.features().unsupportedRoCompat()).isEmpty();
        assertThat(sb.uuid()).hasToString(value(text, "Filesystem UUID"));
        assertThat(sb.volumeName()).isEqualTo(value(text, "Filesystem volume name"));
        number(text, "Inode count", sb.inodesCount());
        number(text, "Block count", sb.blocksCount());
        number(text, "Reserved block count", sb.reservedBlocks());
        number(text, "Free blocks", SuperblockFields.freeBlocks(read.rawSuper, 0));
        number(text, "Free inodes", SuperblockFields.freeInodes(read.rawSuper, 0));
        number(text, "First block", sb.firstDataBlock());
        number(text, "Block size", sb.blockSize());
        number(text, "Blocks per group", sb.blocksPerGroup());
        number(text, "Inodes per group", sb.inodesPerGroup());
        number(text, "Inode blocks per group", sb.inodeTableBlocks());
        number(text, "First inode", sb.firstIno());
        number(text, "Inode size", sb.inodeSize());
        number(text, "Group descriptor size", sb.has(Feature.BIT64) ? sb.descSize() : -1);
        number(text, "Reserved GDT blocks", sb.reservedGdtBlocks() == 0 ? -1 : sb.reservedGdtBlocks());
        number(text, "Flex block group size", sb.has(Feature.FLEX_BG) ? sb.groupsPerFlex() : -1);
        number(text, "Journal inode", sb.has(Feature.HAS_JOURNAL) ? sb.journalIno() : -1);
        number(text, "Orphan file inode", sb.has(Feature.ORPHAN_FILE) ? sb.orphanFileIno() : -1);
        number(text, "Required extra isize", sb.inodeSize() > 128 ? sb.wantExtraIsize() : -1);
        number(text, "First meta block group", sb.firstMetaBg() == 0 ? -1 : sb.firstMetaBg());
        if (sb.has(Feature.CSUM_SEED)) {
            assertThat(hex(sb.csumSeed() & 0xFFFF_FFFFL, 8))
                    .isEqualTo(value(text, "Checksum seed").substring(2));
        }
    }

    private void groups(TestImage read) throws Exception {
        String[] parts = E2fs.run("dumpe2fs", image.toString()).split("(?m)^Group (?=\\d)");
        assertThat(parts).hasSize(read.sb.groupCount() + 1);
        for (int group = 0; group < read.sb.groupCount(); group++) {
            group(read, group, parts[group + 1]);
        }
    }

    private static void group(TestImage read, int group, String text) throws Exception {
        Superblock sb = read.sb;
        int size = sb.descSize();
        byte[] desc = read.descriptor(group);
        long first = read.layout.firstBlock(group);
        String range = first + "-" + (first + read.layout.blocksIn(group) - 1);
        assertThat(text).startsWith(group + ": (Blocks " + range + ")");
        expect(text, "csum 0x(\\w+)", sb.groupFlagsValid() ? hex(GroupDesc.storedChecksum(desc, 0), 4) : null);
        expect(text, "Block bitmap at (\\d+)", "" + GroupDesc.blockBitmap(desc, 0, size));
        expect(text, "Inode bitmap at (\\d+)", "" + GroupDesc.inodeBitmap(desc, 0, size));
        expect(text, "Inode table at (\\d+)", "" + GroupDesc.inodeTable(desc, 0, size));
        expect(text, "(\\d+) free blocks", "" + GroupDesc.freeBlocks(desc, 0, size));
        expect(text, "(\\d+) free inodes", "" + GroupDesc.freeInodes(desc, 0, size));
        expect(text, "(\\d+) directories", "" + GroupDesc.usedDirs(desc, 0, size));
        int unused = GroupDesc.itableUnused(desc, 0, size);
        expect(text, "(\\d+) unused inodes", unused == 0 ? null : "" + unused);
        for (String flag : new String[] {"INODE_UNINIT", "BLOCK_UNINIT", "ITABLE_ZEROED"}) {
            int bit = switch (flag) {
                case "INODE_UNINIT" -> GroupDesc.INODE_UNINIT;
                case "BLOCK_UNINIT" -> GroupDesc.BLOCK_UNINIT;
                default -> GroupDesc.INODE_ZEROED;
            };
            assertThat(GroupDesc.hasFlag(sb, desc, 0, bit)).as(flag).isEqualTo(text.contains(flag));
        }
        boolean copy = read.layout.hasSuper(group);
        expect(text, "superblock at (\\d+)", copy ? "" + read.layout.superBlock(group) : null);
        int index = read.layout.descBlockCopy(0, group) >= 0 ? 0 : group / sb.descsPerBlock();
        long at = read.layout.descBlockCopy(index, group);
        expect(text, "Group descriptors? at (\\d+)", at < 0 ? null : "" + at);
        bitmaps(read, group, desc, text);
        resealed(sb, group, desc);
    }

    private static void bitmaps(TestImage read, int group, byte[] desc, String text) throws Exception {
        Superblock sb = read.sb;
        byte[] blocks = read.block(GroupDesc.blockBitmap(desc, 0, sb.descSize()));
        byte[] inodes = read.block(GroupDesc.inodeBitmap(desc, 0, sb.descSize()));
        assertThat(BitmapChecksum.verifyBlocks(sb, blocks, desc, 0)).isTrue();
        assertThat(BitmapChecksum.verifyInodes(sb, inodes, desc, 0)).isTrue();
        byte[] fresh = new byte[sb.blockSize()];
        read.layout.synthesizeBlockBitmap(group, desc, 0, fresh);
        if (GroupDesc.hasFlag(sb, desc, 0, GroupDesc.BLOCK_UNINIT)) {
            blocks = fresh;
        }
        for (int i = 0; i < fresh.length; i++) {
            assertThat(fresh[i] & ~blocks[i])
                    .as("fixed blocks are in use, byte " + i)
                    .isZero();
        }
        if (GroupDesc.hasFlag(sb, desc, 0, GroupDesc.INODE_UNINIT)) {
            read.layout.synthesizeInodeBitmap(inodes);
        }
        int bits = 8 * sb.blockSize();
        assertThat(Bitmap.countClear(blocks, 0, bits)).isEqualTo(GroupDesc.freeBlocks(desc, 0, sb.descSize()));
        assertThat(Bitmap.countClear(inodes, 0, bits)).isEqualTo(GroupDesc.freeInodes(desc, 0, sb.descSize()));
        expect(text, "Free blocks: (.*)", ranges(blocks, bits, read.layout.firstBlock(group)));
        expect(text, "Free inodes: (.*)", ranges(inodes, bits, Integer.toUnsignedLong(read.layout.inode(group, 0))));
    }

    /** What sealing writes is what the tool wrote. */
    private static void resealed(Superblock sb, int group, byte[] desc) {
        byte[] own = desc.clone();
        if (sb.groupFlagsValid()) {
            own[0x1E] ^= 1;
            assertThat(GroupDesc.verify(sb, group, own, 0)).isFalse();
        }
        GroupDesc.seal(sb, group, own, 0);
        assertThat(own).isEqualTo(desc);
    }

    private void copies(TestImage read) throws Exception {
        for (int group = 1; group < read.sb.groupCount(); group++) {
            if (read.layout.hasSuper(group)) {
                byte[] copy = read.block(read.layout.superBlock(group));
                Superblock sb = Superblock.parse(copy, 0);
                assertThat(SuperblockFields.blockGroupNumber(copy, 0)).isEqualTo(group);
                assertThat(sb.uuid()).isEqualTo(read.sb.uuid());
            }
        }
    }

    private static void usedInodes(TestImage read) throws Exception {
        Superblock sb = read.sb;
        int seen = 0;
        for (int group = 0; group < sb.groupCount(); group++) {
            byte[] desc = read.descriptor(group);
            if (GroupDesc.hasFlag(sb, desc, 0, GroupDesc.INODE_UNINIT)) {
                continue;
            }
            byte[] bitmap = read.block(GroupDesc.inodeBitmap(desc, 0, sb.descSize()));
            for (int i = Bitmap.nextSet(bitmap, 0, sb.inodesPerGroup());
                    i < sb.inodesPerGroup();
                    i = Bitmap.nextSet(bitmap, i + 1, sb.inodesPerGroup())) {
                byte[] record = read.inode(read.layout.inode(group, i));
                byte[] own = record.clone();
                InodeChecksum.seal(sb, read.layout.inode(group, i), own, 0);
                if (InodeRecord.mode(record, 0) != 0) {
                    assertThat(own).as("resealed inode").isEqualTo(record);
                }
                seen++;
            }
        }
        assertThat(seen).isGreaterThanOrEqualTo(17);
    }

    private void files(TestImage read) throws Exception {
        assertThat(read.contents(stat(read, "/pieces"))).isEqualTo(Files.readAllBytes(source));
        byte[] fast = read.inode(stat(read, "/fast"));
        assertThat(InodeRecord.isFastSymlink(read.sb, fast, 0)).isTrue();
        assertThat(new String(fast, InodeRecord.iBlock(0), 59, StandardCharsets.US_ASCII))
                .isEqualTo(FAST_TARGET);
        int slow = stat(read, "/slow");
        assertThat(InodeRecord.isFastSymlink(read.sb, read.inode(slow), 0)).isFalse();
        assertThat(read.contents(slow)).isEqualTo(SLOW_TARGET.getBytes(StandardCharsets.US_ASCII));
        int terminal = DeviceNumber.get(read.inode(stat(read, "/terminal")), 0);
        assertThat(terminal).isEqualTo(DeviceNumber.of(5, 1));
        int big = DeviceNumber.get(read.inode(stat(read, "/big")), 0);
        assertThat(new int[] {DeviceNumber.major(big), DeviceNumber.minor(big)}).containsExactly(300, 2000);
        stat(read, "/");
        stat(read, "/directory");
        stat(read, "/lost+found");
    }

    /** Compares a record with debugfs stat; the inode's number. */
    private int stat(TestImage read, String path) throws Exception {
        String text = E2fs.run("debugfs", "-R", "stat " + path, image.toString());
        Matcher head = Pattern.compile("Inode: (\\d+) +Type: (.+?) +Mode: +(\\d+) +Flags: 0x(\\w+)")
                .matcher(text);
        assertThat(head.find()).as(text).isTrue();
        int ino = Integer.parseUnsignedInt(head.group(1));
        byte[] b = read.inode(ino);
        int size = read.sb.inodeSize();
        assertThat(InodeRecord.mode(b, 0) & FileMode.PERMISSIONS).isEqualTo(Integer.parseInt(head.group(3), 8));
        assertThat(Integer.toHexString(InodeRecord.flags(b, 0))).isEqualTo(head.group(4));
        String type = List.of(
                        "bad type",
                        "regular",
                        "directory",
                        "character special",
                        "block special",
                        "FIFO",
                        "socket",
                        "symlink")
                .get(FileMode.directoryEntryType(InodeRecord.mode(b, 0)));
        assertThat(head.group(2)).isEqualTo(type);
        expect(text, "Generation: (\\d+)", Integer.toUnsignedString(InodeRecord.generation(b, 0)));
        String version = hex(InodeRecord.version(b, 0, size), size > 128 ? 16 : 8);
        expect(
                text,
                "Version: 0x([\\w:]+)",
                size > 128 ? version.substring(0, 8) + ":" + version.substring(8) : version);
        expect(text, "User: +(\\d+)", "" + InodeRecord.uid(b, 0));
        expect(text, "Group: +(\\d+)", "" + InodeRecord.gid(b, 0));
        expect(text, "Links: (\\d+)", "" + InodeRecord.links(b, 0));
        expect(text, "Blockcount: (\\d+)", "" + InodeRecord.sectors(read.sb, b, 0));
        expect(text, "File ACL: (\\d+)", "" + InodeRecord.fileAcl(b, 0));
        if (!FileMode.isDevice(InodeRecord.mode(b, 0))) {
            expect(text, "Size: (\\d+)", "" + InodeRecord.size(b, 0));
        }
        time(text, "atime", InodeTimes.atime(b, 0, size), InodeTimes.atimeNanos(b, 0, size), size);
        time(text, "ctime", InodeTimes.ctime(b, 0, size), InodeTimes.ctimeNanos(b, 0, size), size);
        time(text, "mtime", InodeTimes.mtime(b, 0, size), InodeTimes.mtimeNanos(b, 0, size), size);
        if (size > 128) {
            time(text, "crtime", InodeTimes.crtime(b, 0, size), InodeTimes.crtimeNanos(b, 0, size), size);
        }
        return ino;
    }

    /** The tool prints low word and extra word. */
    private static void time(String text, String name, long seconds, int nanos, int inodeSize) {
        long epoch = seconds - (int) seconds >>> 32 & 3;
        String words = "0x" + hex((int) seconds & 0xFFFF_FFFFL, 8);
        String extra = inodeSize > 128 ? ":" + hex((long) nanos << 2 | epoch, 8) : "";
        expect(text, "(?<!\\w)" + name + ": (0x[\\w:]+)", words + extra);
    }

    private static void resizeInode(TestImage read) throws Exception {
        if (!read.sb.has(Feature.RESIZE_INODE)) {
            return;
        }
        long doubly = BlockMap.root(read.inode(7), 0, 13);
        byte[] pointers = read.block(doubly);
        List<Long> found = new ArrayList<>();
        for (int slot = 0; slot < read.sb.blockSize() / 4; slot++) {
            if (BlockMap.pointer(pointers, slot) != 0) {
                found.add(BlockMap.pointer(pointers, slot));
            }
        }
        List<Long> reserved = new ArrayList<>();
        for (int i = 0; i < read.sb.reservedGdtBlocks(); i++) {
            reserved.add(read.sb.block() + 1 + read.sb.descBlocks() + i);
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(reserved);
    }

    private static void orphanFile(TestImage read) throws Exception {
        if (!read.sb.has(Feature.ORPHAN_FILE)) {
            return;
        }
        int ino = read.sb.orphanFileIno();
        byte[] record = read.inode(ino);
        int seed = InodeChecksum.seed(read.sb, ino, InodeRecord.generation(record, 0));
        var blocks = read.blocks(ino);
        assertThat(blocks).hasSize((int) (InodeRecord.size(record, 0) >>> read.sb.blockBits()));
        for (long pblk : blocks.values()) {
            byte[] b = read.block(pblk);
            OrphanBlock.check(read.sb, seed, pblk, b);
            assertThat(OrphanBlock.nextUsed(b, read.sb.blockSize(), 0)).isEqualTo(-1);
            byte[] own = new byte[b.length];
            OrphanBlock.init(own, b.length);
            OrphanBlock.seal(read.sb, seed, pblk, own);
            assertThat(own).isEqualTo(b);
        }
    }

    private static String ranges(byte[] bitmap, int bits, long first) {
        StringBuilder text = new StringBuilder();
        for (int at = Bitmap.nextClear(bitmap, 0, bits); at < bits; ) {
            int end = Bitmap.nextSet(bitmap, at, bits);
            text.append(text.isEmpty() ? "" : ", ").append(first + at);
            text.append(end - at > 1 ? "-" + (first + end - 1) : "");
            at = Bitmap.nextClear(bitmap, end, bits);
        }
        return text.toString();
    }

    private static String hex(long value, int digits) {
        String text = Long.toHexString(value);
        return "0".repeat(Math.max(0, digits - text.length())) + text;
    }

    private static String value(String text, String name) {
        Matcher matcher =
                Pattern.compile("(?m)^" + Pattern.quote(name) + ":\\s+(.*)$").matcher(text);
        return matcher.find() ? matcher.group(1).strip() : null;
    }

    /** The line of that name has the number; -1: there is no such line. */
    private static void number(String text, String name, long expected) {
        assertThat(value(text, name)).as(name).isEqualTo(expected == -1 ? null : "" + expected);
    }

    private static void expect(String text, String regex, String expected) {
        Matcher matcher = Pattern.compile(regex).matcher(text);
        assertThat(matcher.find() ? matcher.group(1).strip() : null)
                .as(regex + " in " + text.substring(0, Math.min(text.length(), 2000)))
                .isEqualTo(expected);
    }
}
