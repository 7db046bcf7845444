// SPDX-License-Identifier: Apache-2.0
package ext4.format.oracle;

import ext4.format.FormatException;
import ext4.format.extent.ExtentCheck;
import ext4.format.extent.ExtentNode;
import ext4.format.group.GroupDesc;
import ext4.format.group.GroupLayout;
import ext4.format.inode.BlockMap;
import ext4.format.inode.InodeChecksum;
import ext4.format.inode.InodeFlags;
import ext4.format.inode.InodeRecord;
import ext4.format.superblock.Superblock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/** An image read with the functions under test alone. */
final class TestImage implements AutoCloseable {
    private final FileChannel channel;
    final Superblock sb;
    final GroupLayout layout;
    final byte[] rawSuper = new byte[Superblock.SIZE];

    /** Depth of the deepest extent tree that was walked. */
    int deepest;

    TestImage(Path path) throws IOException, FormatException {
        channel = FileChannel.open(path);
        read(ByteBuffer.wrap(rawSuper), Superblock.BYTE_OFFSET);
        sb = Superblock.parse(rawSuper);
        sb.checkDevice(channel.size());
        layout = new GroupLayout(sb);
    }

    private void read(ByteBuffer buffer, long at) throws IOException {
        while (buffer.hasRemaining()) {
            int n = channel.read(buffer, at + buffer.position());
            if (n < 0) {
                throw new IOException("end of image");
            }
        }
    }

    byte[] block(long pblk) throws IOException {
        byte[] b = new byte[sb.blockSize()];
        read(ByteBuffer.wrap(b), pblk << sb.blockBits());
        return b;
    }

    /** The descriptor of a group, alone in an array, checked. */
    byte[] descriptor(int group) throws IOException, FormatException {
        byte[] block = block(layout.descBlockOf(group));
        int off = layout.descOffsetOf(group);
        GroupDesc.check(sb, group, block, off, layout.descBlockOf(group));
        return Arrays.copyOfRange(block, off, off + sb.descSize());
    }

    /** The record of an inode, alone in an array, checked. */
    byte[] inode(int ino) throws IOException, FormatException {
        byte[] desc = descriptor(layout.groupOfInode(ino));
        long pblk = layout.inodeBlock(ino, GroupDesc.inodeTable(desc, 0, sb.descSize()));
        byte[] block = block(pblk);
        int off = layout.inodeOffset(ino);
        InodeRecord.check(sb, ino, block, off, pblk);
        return Arrays.copyOfRange(block, off, off + sb.inodeSize());
    }

    /** Each mapped block of a file: logical to physical; unwritten ones are left out. */
    SortedMap<Long, Long> blocks(int ino) throws IOException, FormatException {
        SortedMap<Long, Long> map = new TreeMap<>();
        byte[] record = inode(ino);
        if (InodeFlags.has(InodeRecord.flags(record, 0), InodeFlags.EXTENTS)) {
            int root = InodeRecord.iBlock(0);
            ExtentCheck.root(sb, ino, record, root, 0);
            deepest = Math.max(deepest, ExtentNode.depth(record, root));
            int seed = InodeChecksum.seed(sb, ino, InodeRecord.generation(record, 0));
            walk(ino, seed, record, root, ExtentCheck.END, map);
            return map;
        }
        long count = InodeRecord.size(record, 0) + sb.blockSize() - 1 >>> sb.blockBits();
        for (int lblk = 0; lblk < count; lblk++) {
            long pblk = mapped(record, lblk);
            if (pblk != 0) {
                map.put((long) lblk, pblk);
            }
        }
        return map;
    }

    private void walk(int ino, int seed, byte[] node, int off, long end, SortedMap<Long, Long> map)
            throws IOException, FormatException {
        int entries = ExtentNode.entries(node, off);
        for (int i = 0; i < entries; i++) {
            long first = Integer.toUnsignedLong(ExtentNode.lblk(node, off, i));
            if (!ExtentNode.isLeaf(node, off)) {
                long pblk = ExtentNode.child(node, off, i);
                long childEnd = i + 1 < entries ? Integer.toUnsignedLong(ExtentNode.lblk(node, off, i + 1)) : end;
                byte[] child = block(pblk);
                int depth = ExtentNode.depth(node, off) - 1;
                ExtentCheck.block(sb, ino, seed, child, 0, pblk, depth, first, childEnd);
                walk(ino, seed, child, 0, childEnd, map);
            } else if (!ExtentNode.isUnwritten(node, off, i)) {
                for (int k = 0; k < ExtentNode.length(node, off, i); k++) {
                    map.put(first + k, ExtentNode.start(node, off, i) + k);
                }
            }
        }
    }

    private long mapped(byte[] record, int lblk) throws IOException {
        int levels = BlockMap.levels(lblk, sb.blockBits());
        long pblk = BlockMap.root(record, 0, BlockMap.slot(lblk, sb.blockBits(), 0));
        for (int level = 1; level <= levels && pblk != 0; level++) {
            pblk = BlockMap.pointer(block(pblk), BlockMap.slot(lblk, sb.blockBits(), level));
        }
        return pblk;
    }

    /** A file's whole contents. */
    byte[] contents(int ino) throws IOException, FormatException {
        byte[] bytes = new byte[(int) InodeRecord.size(inode(ino), 0)];
        for (var entry : blocks(ino).entrySet()) {
            int at = (int) (entry.getKey() << sb.blockBits());
            System.arraycopy(block(entry.getValue()), 0, bytes, at, Math.min(sb.blockSize(), bytes.length - at));
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
