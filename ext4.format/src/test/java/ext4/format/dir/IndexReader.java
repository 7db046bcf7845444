// SPDX-License-Identifier: Apache-2.0
package ext4.format.dir;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.format.FormatException;
import ext4.format.hash.NameHash;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;

/** Reads a whole indexed directory, and checks on the way every block and that each name lies where its hash leads. */
final class IndexReader {
    private final IntFunction<byte[]> blocks;
    private final int count;
    private final boolean csum;
    private final boolean largeDir;
    private final NameHash hash;
    private final int inodeSeed;
    private final Set<String> names = new TreeSet<>();
    private int leaves;

    IndexReader(IntFunction<byte[]> blocks, int count, boolean csum, boolean largeDir, NameHash hash, int inodeSeed) {
        this.blocks = blocks;
        this.count = count;
        this.csum = csum;
        this.largeDir = largeDir;
        this.hash = hash;
        this.inodeSeed = inodeSeed;
    }

    /** The names as ISO 8859-1, a character a byte. */
    Set<String> readAll() throws FormatException {
        byte[] root = blocks.apply(0);
        DxRoot.validate(root, csum, largeDir, count);
        node(root, DxNode.ROOT, DxRoot.levels(root), 0, 0x1_0000_0000L);
        return names;
    }

    int leaves() {
        return leaves;
    }

    private void node(byte[] b, int base, int levels, long low, long high) throws FormatException {
        assertThat(DxNode.verify(b, base, inodeSeed) || !sealed(b)).isTrue();
        for (int i = 0; i < DxNode.count(b, base); i++) {
            long from = i == 0 ? low : DxNode.hash(b, base, i) & 0xFFFFFFFFL;
            long to = i + 1 == DxNode.count(b, base) ? high : DxNode.hash(b, base, i + 1) & 0xFFFFFFFFL;
            int child = DxNode.child(b, base, i);
            byte[] next = blocks.apply(child);
            if (levels == 0) {
                leaf(next, from, to, child);
            } else {
                DxNode.validate(next, csum, count, child);
                node(next, DxNode.NODE, levels - 1, from, to);
            }
        }
    }

    private static boolean sealed(byte[] b) {
        return b[b.length - 1] != 0 || b[b.length - 2] != 0;
    }

    private void leaf(byte[] b, long from, long to, int lblk) throws FormatException {
        leaves++;
        int end = DirTail.entriesEnd(b, csum);
        assertThat(DirTail.isPresent(b)).isEqualTo(csum);
        DirBlock.validate(b, 0, end, -1, lblk);
        for (int at = DirBlock.firstUsed(b, 0, end, lblk);
                at < end;
                at = DirBlock.firstUsed(b, at + DirEntry.recLen(b, at), end, lblk)) {
            byte[] name = DirEntry.name(b, at);
            long h = NameHash.major(hash.hash(name, 0, name.length)) & 0xFFFFFFFFL;
            assertThat(h).isBetween(from & ~1L, to | 1);
            assertThat(h < to || (to & 1) == 1 && h == (to & ~1L)).isTrue();
            assertThat(lookup(name)).isTrue();
            assertThat(names.add(new String(name, StandardCharsets.ISO_8859_1))).isTrue();
        }
    }

    /** Finds a name as a lookup does: down by hash, then over leaves that continue the hash. */
    boolean lookup(byte[] name) throws FormatException {
        int h = NameHash.major(hash.hash(name, 0, name.length));
        byte[] node = blocks.apply(0);
        int base = DxNode.ROOT;
        int above = DxRoot.levels(node);
        boolean continuesAbove = false;
        int slot = DxNode.search(node, base, h);
        for (; above > 0; above--) {
            continuesAbove |= DxNode.continues(node, base, slot, h);
            node = blocks.apply(DxNode.child(node, base, slot));
            base = DxNode.NODE;
            slot = DxNode.search(node, base, h);
        }
        while (true) {
            byte[] leaf = blocks.apply(DxNode.child(node, base, slot));
            if (DirBlock.find(leaf, 0, DirTail.entriesEnd(leaf, csum), name, 0) >= 0) {
                return true;
            }
            if (!DxNode.continues(node, base, slot, h)) {
                // A bucket that crosses two nodes doesn't occur in these directories; a miss must not hide one.
                assertThat(continuesAbove).isFalse();
                return false;
            }
            slot++;
        }
    }
}
