// SPDX-License-Identifier: Apache-2.0
package ext4.format.xattr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ext4.format.Le;
import ext4.format.checksum.Crc32c;
import ext4.format.oracle.Oracle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attributes that the kernel wrote, and attributes of ours that debugfs and e2fsck read. */
class XattrOracleTest {
    private static final int BLOCK_SIZE = 4096;
    private static final int INODE_SIZE = 256;

    private static byte[] ascii(String s) {
        return s.getBytes(StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @ValueSource(strings = {"metadata_csum", "^metadata_csum"})
    void kernelAttributesParseAndOursAreRead(String feature, @TempDir Path dir) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setfattr")), "skipped: setfattr is not installed");
        long seed = new Random().nextLong();
        Map<String, byte[]> expected = attributes(new Random(seed));
        Oracle image = Oracle.make(dir, 32 << 20, "-b", "" + BLOCK_SIZE, "-I", "" + INODE_SIZE, "-O", feature);
        setByTheKernel(image, expected);
        boolean csum = feature.equals("metadata_csum");
        byte[] superblock = image.read(1024, 1024);
        int fsSeed = (Le.i32(superblock, 0x60) & 0x2000) != 0
                ? Le.i32(superblock, 0x270)
                : Crc32c.raw(~0, superblock, 0x68, 16);
        long inodeAt = inodeOffset(image, "/one");
        byte[] inode = image.read(inodeAt, INODE_SIZE);
        XattrArea inInode = XattrArea.ofInode(0, INODE_SIZE, Le.u16(inode, 0x80));
        long pblk = Le.u32(inode, 0x68);
        byte[] block = image.read(pblk * BLOCK_SIZE, BLOCK_SIZE);
        XattrArea inBlock = XattrArea.ofBlock(BLOCK_SIZE);

        assertThat(inInode.isPresent(inode)).isTrue();
        XattrList.validate(inInode, inode, 0);
        XattrBlock.validate(block, pblk);
        assertThat(!csum || XattrBlock.verify(block, pblk, fsSeed)).isTrue();
        assertThat(XattrBlock.refcount(block))
                .as("the kernel shares equal blocks")
                .isEqualTo(2);
        Map<String, String> found = new TreeMap<>();
        int inInodeCount = collect(inInode, inode, found);
        int inBlockCount = collect(inBlock, block, found);
        assertThat(inInodeCount).isPositive();
        assertThat(inBlockCount).isPositive();
        Map<String, String> wanted = new TreeMap<>();
        expected.forEach((name, value) -> wanted.put(name, HexFormat.of().formatHex(value)));
        assertThat(found).as("seed " + seed).isEqualTo(wanted);
        int hash = XattrBlock.hash(block);
        assertThat(XattrBlock.computeHash(block)).isEqualTo(hash);

        String victim = replaceFirst(inBlock, block);
        XattrBlock.rehash(block);
        XattrBlock.seal(block, pblk, csum ? fsSeed : 0);
        if (!csum) {
            Le.put32(block, 0x10, 0);
            int first = XattrList.first(inInode, inode);
            XattrList.set(
                    inInode, inode, XattrEntry.nameIndex(inode, first), XattrEntry.name(inode, first), ascii("new"));
            image.write(inodeAt, inode);
        }
        image.write(pblk * BLOCK_SIZE, block);
        assertThat(image.e2fsck("-fn")).isZero();
        assertThat(image.debugfs("ea_get /one user.ours\n")).contains("\"written by us\"");
        String list = image.debugfs("ea_list /two\n");
        assertThat(list).contains("user.ours").doesNotContain(victim + " (");
        assertThat(image.debugfs("ea_list /one\n").contains("= \"new\"")).isEqualTo(!csum);
    }

    /** Gives two files the same attributes through a mount. */
    private static void setByTheKernel(Oracle image, Map<String, byte[]> attributes) throws Exception {
        image.mounted("", mountPoint -> {
            for (String file : new String[] {"one", "two"}) {
                Path path = Files.write(mountPoint.resolve(file), new byte[10]);
                for (Map.Entry<String, byte[]> entry : attributes.entrySet()) {
                    String value = "0x" + HexFormat.of().formatHex(entry.getValue());
                    Oracle.run(List.of("setfattr", "-n", entry.getKey(), "-v", value, path.toString()));
                }
            }
        });
    }

    /** Adds user.ours, removes what was first, and returns its name without the prefix. */
    private static String replaceFirst(XattrArea area, byte[] block) {
        int first = XattrList.first(area, block);
        byte[] name = XattrEntry.name(block, first);
        int index = XattrEntry.nameIndex(block, first);
        assertThat(XattrList.set(area, block, XattrName.USER, ascii("ours"), ascii("written by us")))
                .isTrue();
        assertThat(XattrList.remove(area, block, index, name)).isTrue();
        return new String(name, StandardCharsets.US_ASCII);
    }

    /** Adds names and values (hex), checks hashes, returns how many there were. */
    private static int collect(XattrArea area, byte[] b, Map<String, String> found) {
        int count = 0;
        for (int at = XattrList.first(area, b); at >= 0; at = XattrList.next(area, b, at)) {
            int index = XattrEntry.nameIndex(b, at);
            byte[] name = XattrEntry.name(b, at);
            byte[] value = XattrList.value(area, b, at);
            assertThat(area.inBlock() ? XattrHash.verify(area, b, at) : XattrEntry.hash(b, at) == 0)
                    .isTrue();
            String full = new String(XattrName.fullName(index, name), StandardCharsets.US_ASCII);
            assertThat(found.put(full, HexFormat.of().formatHex(value))).isNull();
            count++;
        }
        return count;
    }

    private static Map<String, byte[]> attributes(Random random) {
        Map<String, byte[]> all = new TreeMap<>();
        String[] prefixes = {"user.", "trusted.", "security."};
        for (int i = 0; i < 12; i++) {
            byte[] value = new byte[1 + random.nextInt(i == 0 ? 20 : 150)];
            random.nextBytes(value);
            all.put(prefixes[i % 3] + "attr" + i + "z".repeat(random.nextInt(9)), value);
        }
        return all;
    }

    private static long inodeOffset(Oracle image, String file) throws Exception {
        String output = image.debugfs("imap " + file + "\n");
        Matcher matcher = Pattern.compile("located at block ([0-9]+), offset 0x([0-9a-f]+)")
                .matcher(output);
        assertThat(matcher.find()).as(output).isTrue();
        return Long.parseLong(matcher.group(1)) * BLOCK_SIZE + Long.parseLong(matcher.group(2), 16);
    }
}
