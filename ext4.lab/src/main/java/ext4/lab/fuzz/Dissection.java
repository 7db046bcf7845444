// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.format.FormatException;
import ext4.format.fields.Field;
import ext4.format.fields.Fields;
import ext4.format.group.BitmapChecksum;
import ext4.format.group.GroupDesc;
import ext4.format.group.GroupLayout;
import ext4.format.inode.InodeChecksum;
import ext4.format.inode.InodeRecord;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import ext4.lab.fuzz.Part.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/** Finds the structures of a sound image. */
final class Dissection {
    private final byte[] image;
    private final Superblock sb;
    private final GroupLayout layout;
    private final List<Part> parts = new ArrayList<>();
    private final TreeSet<Long> blocks = new TreeSet<>();
    private final TreeSet<Long> inodes = new TreeSet<>();

    Dissection(byte[] image) {
        this.image = image;
        try {
            sb = Superblock.parse(image, Superblock.BYTE_OFFSET);
        } catch (FormatException e) {
            throw new IllegalArgumentException("not a sound image: " + e.getMessage(), e);
        }
        layout = new GroupLayout(sb);
        superblocks();
        for (int group = 0; group < sb.groupCount(); group++) {
            group(group);
        }
        numbers();
        inodeTables();
    }

    Superblock superblock() {
        return sb;
    }

    List<Part> parts() {
        return parts;
    }

    long[] blocks() {
        return blocks.stream().mapToLong(Long::longValue).toArray();
    }

    long[] inodes() {
        return inodes.stream().mapToLong(Long::longValue).toArray();
    }

    GroupLayout layout() {
        return layout;
    }

    void add(Kind kind, String name, long pblk, int at, int length, List<Field> fields, Part.Seal seal) {
        parts.add(new Part(kind, name, pblk, at, length, fields, seal));
        blocks.add(pblk);
    }

    /** Notes a block that something else might be made to point at. */
    void note(long pblk) {
        blocks.add(pblk);
    }

    byte[] read(long pblk) {
        int at = (int) pblk * sb.blockSize();
        return Arrays.copyOfRange(image, at, at + sb.blockSize());
    }

    /** These fields with another beginning and names that say so. */
    static List<Field> at(int off, String prefix, List<Field> fields) {
        return fields.stream()
                .map(f -> new Field(prefix + f.name(), f.at() + off, f.bytes(), f.sort(), f.bigEndian()))
                .toList();
    }

    private void superblocks() {
        int off = sb.offsetInBlock();
        long block = sb.block();
        add(
                Kind.SUPERBLOCK,
                "super",
                block,
                off,
                Superblock.SIZE,
                Fields.SUPERBLOCK,
                canvas -> SuperblockFields.seal(canvas.block(block), off));
    }

    private void group(int group) {
        long pblk = layout.descBlockOf(group);
        int off = layout.descOffsetOf(group);
        byte[] b = read(pblk);
        Part.Seal seal = canvas -> GroupDesc.seal(sb, group, canvas.block(pblk), off);
        List<Field> fields =
                sb.descSize() < 64 ? Fields.DESCRIPTOR : Fields.both(Fields.DESCRIPTOR, Fields.DESCRIPTOR_HIGH);
        add(Kind.DESCRIPTOR, "group " + group, pblk, off, sb.descSize(), fields, seal);
        long blockBitmap = GroupDesc.blockBitmap(b, off, sb.descSize());
        add(Kind.BITMAP, "blockbitmap " + group, blockBitmap, 0, sb.blockSize(), List.of(), canvas -> {
            BitmapChecksum.sealBlocks(sb, canvas.block(blockBitmap), canvas.block(pblk), off);
            seal.on(canvas);
        });
        long inodeBitmap = GroupDesc.inodeBitmap(b, off, sb.descSize());
        add(Kind.BITMAP, "inodebitmap " + group, inodeBitmap, 0, sb.blockSize(), List.of(), canvas -> {
            BitmapChecksum.sealInodes(sb, canvas.block(inodeBitmap), canvas.block(pblk), off);
            seal.on(canvas);
        });
        note(GroupDesc.inodeTable(b, off, sb.descSize()));
    }

    private void numbers() {
        blocks.addAll(List.of(0L, 1L, 2L, sb.blocksCount() - 1, sb.blocksCount(), sb.blocksCount() / 2));
        long last = Integer.toUnsignedLong(sb.inodesCount());
        inodes.addAll(List.of(0L, 1L, 2L, 3L, 5L, 7L, 8L, 10L, 11L, 12L, last - 1, last, last + 1));
        inodes.add(Integer.toUnsignedLong(sb.orphanFileIno()));
    }

    private void inodeTables() {
        FileParts files = new FileParts(this);
        int last = sb.inodesCount();
        int free = 0;
        for (int ino = 1; ino <= last; ino++) {
            int group = layout.groupOfInode(ino);
            byte[] desc = read(layout.descBlockOf(group));
            long table = GroupDesc.inodeTable(desc, layout.descOffsetOf(group), sb.descSize());
            long pblk = layout.inodeBlock(ino, table);
            byte[] b = read(pblk);
            int off = layout.inodeOffset(ino);
            boolean used = InodeRecord.mode(b, off) != 0;
            if (!used && free++ > 2) {
                continue;
            }
            record(ino, pblk, off);
            if (used && (InodeRecord.links(b, off) != 0 || ino >= sb.firstIno())) {
                inodes.add((long) ino);
                files.dissect(ino, pblk, b, off);
            }
        }
    }

    private void record(int ino, long pblk, int off) {
        List<Field> fields =
                sb.inodeSize() > InodeRecord.BASE_SIZE ? Fields.both(Fields.INODE, Fields.INODE_EXTRA) : Fields.INODE;
        add(Kind.INODE, "inode " + ino, pblk, off, sb.inodeSize(), fields, sealInode(ino, pblk, off));
    }

    /** Makes the checksum of a record. */
    Part.Seal sealInode(int ino, long pblk, int off) {
        return canvas -> InodeChecksum.seal(sb, ino, canvas.block(pblk), off);
    }
}
