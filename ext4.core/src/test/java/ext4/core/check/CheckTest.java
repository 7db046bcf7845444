// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.device.MemoryBlockDevice;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The checker against e2fsck: clean images of many features, and one damage at a time. */
class CheckTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-O metadata_csum",
                "-O metadata_csum_seed,orphan_file",
                "-O ^metadata_csum,uninit_bg",
                "-O ^metadata_csum,^64bit,^flex_bg -g 2048",
                "-O ^has_journal",
                "-O ^extent,^64bit,^metadata_csum -I 128",
                "-O ^dir_index,^filetype",
                "-O meta_bg,^resize_inode -g 1024",
                "-O sparse_super2 -g 2048",
                "-b 4096 -O ^has_journal",
                "-b 2048 -O ^has_journal",
                "-I 512"
            })
    void findsNothingOnACleanImage(String options) throws IOException {
        Oracles.needE2fsprogs();
        CheckedImage image = CheckedImage.make(folder, options.split(" "));
        assertThat(image.e2fsck().exit()).as(image.e2fsck().output()).isZero();
        CheckedImage.Verdict verdict = image.check();
        assertThat(verdict.exit()).as(verdict.output()).isEqualTo(Check.CLEAN);
    }

    @Test
    void findsNothingOnAnImageThatTheKernelFilled() throws IOException {
        Oracles.needKernelMounts();
        CheckedImage image = CheckedImage.make(folder, "-O", "orphan_file");
        try (LoopMount mount = new LoopMount(image.file(), "rw")) {
            Path dir = Files.createDirectory(mount.root().resolve("made"));
            for (int i = 0; i < 90; i++) {
                Files.writeString(
                        dir.resolve("a-name-of-some-length-so-that-the-index-grows-" + i), "x".repeat(i * 40));
            }
            for (int i = 0; i < 90; i += 3) {
                Files.delete(dir.resolve("a-name-of-some-length-so-that-the-index-grows-" + i));
            }
            Files.createLink(mount.root().resolve("hard"), mount.root().resolve("big"));
            Tool.run("mkfifo", mount.root().resolve("fifo")).ok();
        }
        CheckedImage.Verdict verdict = image.check();
        assertThat(verdict.exit())
                .as(verdict.output())
                .isEqualTo(image.e2fsck().exit())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sif big links_count 3|ref count is 3, should be 1",
                "sif big blocks 2|i_blocks is 2, should be",
                "sif big size 5|i_size is 5",
                "sif big dtime 1600000000|in use, but has dtime set",
                "sif big dtime 20|was part of the orphaned inode list",
                "sif big mode 0|bad mode",
                "sif big flags 0x81000|INDEX_FL flag set but is not a directory",
                "sif big extra_isize 3|extra size (3) which is invalid",
                "sif big file_acl 9000|i_file_acl",
                "sif short size 9|Symlink",
                "sif dir links_count 9|ref count is 9, should be 3",
                "sif <2> mode 0100644|Root inode is not a directory",
                "clri big|has deleted/unused inode",
                "freei big|Inode bitmap differences:  +",
                "freeb 100 5|Block bitmap differences:  +(100--104)",
                "setb 7000 9|Block bitmap differences:  -(7000--7008)",
                "unlink big|Unattached inode",
                "ln big dir|is incorrect",
                "ln dir other|link to directory inode",
                "set_bg 0 free_blocks_count 1|Free blocks count wrong for group #0",
                "set_bg 0 free_inodes_count 1|Free inodes count wrong for group #0",
                "set_bg 0 used_dirs_count 7|Directories count wrong for group #0",
                "set_bg 0 inode_table 1|conflicts with some other fs block",
                "set_bg 0 block_bitmap 99999|Block bitmap for group 0 is not in group",
                "ssv journal_inum 13|invalid journal",
                "feature orphan_present|orphan_present",
                "feature needs_recovery|no journal is present",
                "sif <7> block[DIND] 0|Resize inode not valid"
            })
    void findsADamage(String request, String words) throws IOException {
        Oracles.needE2fsprogs();
        boolean journal = request.contains("journal");
        CheckedImage image =
                CheckedImage.make(folder, "-O", "^metadata_csum,^flex_bg" + (journal ? "" : ",^has_journal"));
        Tool.run("debugfs", "-w", "-R", request, image.file());
        assertThat(image.e2fsck().exit()).as(image.e2fsck().output()).isNotZero();
        CheckedImage.Verdict verdict = image.check();
        assertThat(verdict.exit()).as(verdict.output()).isEqualTo(Check.UNCORRECTED);
        if (!words.equals("is incorrect")) {
            assertThat(verdict.output().replace("  ", " ")).contains(words.replace("  ", " "));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"quota", "bigalloc", "inline_data", "ea_inode", "casefold"})
    void refusesAFeatureByName(String feature) throws IOException {
        Oracles.needE2fsprogs();
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 8 << 20, "-O", feature);
        CheckedImage.Verdict verdict = new CheckedImage(image).check();
        assertThat(verdict.exit()).isEqualTo(Check.OPERATIONAL);
        assertThat(verdict.output()).contains(feature);
    }

    @Test
    void refusesTheFeatureThatOnlyTheKernelKnows() throws IOException {
        Oracles.needE2fsprogs();
        CheckedImage image = CheckedImage.make(folder, "-O", "^metadata_csum");
        byte[] bytes = Files.readAllBytes(image.file());
        bytes[1024 + 0x64] |= 4; // btree_dir
        Files.write(image.file(), bytes);
        assertThat(Tool.run("e2fsck", "-fn", image.file()).exit()).isNotZero();
        CheckedImage.Verdict verdict = image.check();
        assertThat(verdict.exit()).isEqualTo(Check.OPERATIONAL);
        assertThat(verdict.output()).contains("btree_dir");
    }

    @Test
    void saysThatItIsNoFilesystem() {
        for (long size : new long[] {0, 100, 1 << 20}) {
            StringWriter output = new StringWriter();
            MemoryBlockDevice device = new MemoryBlockDevice("nothing", size);
            assertThat(Check.run(device, CheckOptions.DEFAULT, new PrintWriter(output)))
                    .isEqualTo(Check.OPERATIONAL);
            assertThat(output.toString()).isNotBlank();
        }
    }

    @Test
    void usesTheBackupOfALostSuperblock() throws IOException {
        Oracles.needE2fsprogs();
        CheckedImage image = CheckedImage.make(folder, "-g", "4096");
        byte[] bytes = Files.readAllBytes(image.file());
        java.util.Arrays.fill(bytes, 1024, 2048, (byte) 0);
        Files.write(image.file(), bytes);
        CheckedImage.Verdict verdict = image.check();
        assertThat(verdict.exit()).as(verdict.output()).isNotZero();
    }

    @Test
    void tellsThePassesAndStopsPrintingAtTheLimit() throws IOException {
        Oracles.needE2fsprogs();
        CheckedImage image = CheckedImage.make(folder, "-O", "^metadata_csum");
        Tool.run("debugfs", "-w", "-R", "clri dir/below", image.file()).ok();
        List<String> passes = new ArrayList<>();
        StringWriter output = new StringWriter();
        byte[] bytes = Files.readAllBytes(image.file());
        MemoryBlockDevice device = new MemoryBlockDevice("image", bytes.length);
        device.write(0, java.nio.ByteBuffer.wrap(bytes));
        int exit = Check.run(device, new CheckOptions(passes::add, 5), new PrintWriter(output));
        assertThat(exit).isEqualTo(Check.UNCORRECTED);
        assertThat(passes).hasSize(5).allSatisfy(pass -> assertThat(pass).startsWith("Pass "));
        assertThat(output.toString()).contains("more problems are not shown");
        assertThat(output.toString().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(4096);
    }
}
