// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.image;

import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import ext4.api.fs.FileSystem;
import ext4.core.mount.Ext4CoreProvider;
import ext4.format.FormatException;
import ext4.format.group.Bitmap;
import ext4.format.group.GroupDesc;
import ext4.format.group.GroupLayout;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import ext4.journal.Jbd2Provider;
import ext4.lab.stack.Paths;
import ext4.lab.stack.Stack;
import ext4.lab.stack.TickingClock;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a workload finds: a filesystem of one group that has been in use, so that its log holds old transactions, whose free
 * blocks all hold a mark. Made the same each time, byte by byte. Immutable.
 */
public final class BaseImage {
    /** When it was made: 2026. */
    public static final long MADE_SECONDS = 1_767_225_600L;

    private static final byte[] MARK = "FREE block, of no file. ".getBytes(StandardCharsets.US_ASCII);
    private static final int JOURNAL_INO = 8;

    private final Kind kind;
    private final Image image;
    private final Superblock superblock;
    private final List<Integer> log;
    private final BitSet logBody = new BitSet();
    private final int bitmap;
    private final int firstBlock;

    private BaseImage(Kind kind, byte[] bytes, List<Integer> log) throws FormatException {
        this.kind = kind;
        this.log = log;
        log.stream().skip(1).forEach(logBody::set);
        superblock = Superblock.parse(bytes, Superblock.BYTE_OFFSET);
        GroupLayout layout = new GroupLayout(superblock);
        int desc = (int) layout.descBlockOf(0) * Image.BLOCK;
        bitmap = (int) GroupDesc.blockBitmap(bytes, desc + layout.descOffsetOf(0), superblock.descSize());
        firstBlock = superblock.firstDataBlock();
        mark(bytes);
        image = new Image(bytes);
    }

    /** Makes it, with files in {@code folder}. */
    public static BaseImage make(Kind kind, Path folder) throws IOException {
        Path file = folder.resolve("base-" + kind + ".img");
        try {
            mkfs(kind, file);
            Image raw = new Image(Files.readAllBytes(file));
            use(kind, raw);
            Files.write(file, raw.bytes());
            E2fsprogs.assertClean(file, "the image that explorations begin with");
            String blocks = E2fsprogs.debugfs(file, false, "blocks <" + JOURNAL_INO + ">");
            List<Integer> log = Arrays.stream(blocks.lines()
                            .filter(line -> !line.startsWith("debugfs"))
                            .findFirst()
                            .orElseThrow()
                            .strip()
                            .split("\\s+"))
                    .map(Integer::valueOf)
                    .toList();
            return new BaseImage(kind, raw.bytes(), log);
        } catch (FormatException e) {
            throw new IllegalStateException("mke2fs made it", e);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static void mkfs(Kind kind, Path file) throws IOException {
        Files.write(file, new byte[kind.blocks() * Image.BLOCK]);
        List<String> arguments = new ArrayList<>(List.of(
                "PATH=/usr/sbin:/sbin:/usr/bin:/bin",
                "E2FSPROGS_FAKE_TIME=" + MADE_SECONDS,
                "mke2fs",
                "-q",
                "-F",
                "-t",
                "ext4",
                "-b",
                Integer.toString(Image.BLOCK),
                "-J",
                "size=1",
                "-N",
                "128",
                "-m",
                "0",
                "-U",
                "6f2cb1a4-3c0e-4a57-9d0b-5a1f6e0c7b11",
                "-E",
                "hash_seed=0b8e4a0c-52f1-4c0e-8a5d-1d9f3b7c2e66"));
        arguments.addAll(kind.options());
        Tool.run(
                        "env",
                        Stream.concat(arguments.stream(), Stream.of(file.toString()))
                                .toArray())
                .ok();
    }

    /** Transactions for the log, and the file that fills a full one. */
    private static void use(Kind kind, Image image) {
        TickingClock clock = new TickingClock(MADE_SECONDS);
        CoreFileSystem fs = new Ext4CoreProvider(clock, clock)
                .mount(
                        new ImageDevice(image, false),
                        Stack.QUIET,
                        new Jbd2Provider(clock),
                        "global",
                        Stack.strategy("global"));
        Paths paths = new Paths(fs);
        for (int i = 0; i < 6; i++) {
            Attributes made = new Attributes();
            byte[] name = Paths.bytes("old" + i);
            fs.mkdir(Credentials.ROOT, Paths.ROOT, name, 0700, made);
            paths.forget(made.ino);
            fs.syncfs();
            fs.rmdir(Credentials.ROOT, Paths.ROOT, name);
            fs.syncfs();
        }
        if (kind.full()) {
            int filler = paths.create("filler");
            long blocks = fs.statfs().available() - Kind.ROOM;
            fs.fallocate(Credentials.ROOT, filler, FileSystem.FALLOC_KEEP_SIZE, 0, blocks * Image.BLOCK);
            paths.forget(filler);
        }
        fs.close();
    }

    private void mark(byte[] bytes) {
        byte[] map = Arrays.copyOfRange(bytes, bitmap * Image.BLOCK, (bitmap + 1) * Image.BLOCK);
        for (int block = firstBlock; block < kind.blocks(); block++) {
            if (!Bitmap.test(map, block - firstBlock)) {
                for (int i = 0; i < Image.BLOCK; i++) {
                    bytes[block * Image.BLOCK + i] = MARK[(block + i) % MARK.length];
                }
            }
        }
    }

    public Kind kind() {
        return kind;
    }

    /** The bytes; a copy of it is to be worked on. */
    public Image image() {
        return image;
    }

    /** Physical blocks of the journal file, in its order. */
    public List<Integer> log() {
        return log;
    }

    /**
     * A hash of what a check of a recovered image looks at: all but free blocks, the log behind its superblock, which says
     * that it is empty, and the fields of the superblock that count mounts and tell times. An image in which a check finds
     * nothing has no reference to a free block, so none with the same hash has.
     */
    public long judgedHash(Image other) {
        byte[] bytes = other.bytes();
        BitSet which = new BitSet();
        byte[] map = Arrays.copyOfRange(bytes, bitmap * Image.BLOCK, (bitmap + 1) * Image.BLOCK);
        for (int block = Bitmap.nextSet(map, 0, kind.blocks() - firstBlock); block < kind.blocks() - firstBlock; ) {
            which.set(block + firstBlock);
            block = Bitmap.nextSet(map, block + 1, kind.blocks() - firstBlock);
        }
        which.andNot(logBody);
        byte[] super1 = Arrays.copyOfRange(bytes, Superblock.BYTE_OFFSET, Superblock.BYTE_OFFSET + Superblock.SIZE);
        if (!superblock.metadataCsum() || SuperblockFields.verify(super1, 0)) {
            SuperblockFields.setMountCount(super1, 0, 0);
            SuperblockFields.setMountTime(super1, 0, 0);
            SuperblockFields.setWriteTime(super1, 0, 0);
            SuperblockFields.setCheckTime(super1, 0, 0);
            SuperblockFields.setKbytesWritten(super1, 0, 0);
            SuperblockFields.seal(super1, 0);
        }
        return other.hash(which, Superblock.BYTE_OFFSET / Image.BLOCK, super1);
    }
}
