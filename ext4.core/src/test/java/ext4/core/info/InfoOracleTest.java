// SPDX-License-Identifier: Apache-2.0
package ext4.core.info;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.CorruptException;
import ext4.core.mkfs.ImageFile;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Line by line what dumpe2fs -h says. */
class InfoOracleTest {
    private static final long BYTES = 64L << 20;

    @TempDir
    Path folder;

    private String info(Path image) throws IOException {
        StringWriter text = new StringWriter();
        try (ImageFile device = new ImageFile(image, -1)) {
            Info.print(device, new PrintWriter(text));
        }
        return text.toString();
    }

    private void assertSame(Path image) throws IOException {
        List<String> theirs = Tool.run("dumpe2fs", "-h", image)
                .ok()
                .output()
                .lines()
                .filter(line -> !line.startsWith("dumpe2fs ") && !line.isEmpty())
                .takeWhile(line -> !line.startsWith("MMP_block"))
                .toList();
        assertThat(info(image).lines().toList()).isEqualTo(theirs);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-O metadata_csum_seed,orphan_file -L name",
                "-O ^has_journal,^metadata_csum,^64bit -m 0",
                "-O ^extent,^64bit,^dir_index -b 2048 -I 128",
                "-O sparse_super2 -E stride=4,stripe-width=8",
                "-O bigalloc,quota,project",
                "-O inline_data,encrypt,casefold -E encoding=utf8",
                "-O mmp,ea_inode,large_dir",
                "-O fast_commit -b 4096",
                "-r 0 -O none"
            })
    void ofNewFilesystems(String options) throws IOException {
        Oracles.needE2fsprogs();
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, BYTES, options.split(" "));
        assertSame(image);
    }

    @Test
    void ofSettingsAndUse() throws IOException {
        Oracles.needKernelMounts();
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, BYTES, "-O", "metadata_csum_seed,orphan_file");
        Tool.run("tune2fs", "-c", "20", "-i", "191d", "-o", "journal_data,nobarrier", "-e", "remount-ro", image)
                .ok();
        Tool.run("tune2fs", "-E", "mount_opts=nodelalloc", image).ok();
        try (LoopMount mount = new LoopMount(image, "rw")) {
            Files.write(mount.root().resolve("file"), new byte[10 << 20]);
        }
        assertThat(info(image)).contains("journal_64bit journal_checksum_v3");
        assertSame(image);
    }

    @Test
    void refusesWhatIsNoFilesystem() throws IOException {
        Path image = folder.resolve("image");
        try (ImageFile device = new ImageFile(image, 1 << 20)) {
            assertThatThrownBy(() -> Info.print(device, new PrintWriter(new StringWriter())))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining("s_magic is 0x0");
        }
        try (ImageFile device = new ImageFile(image, 1500)) {
            assertThatThrownBy(() -> Info.print(device, new PrintWriter(new StringWriter())))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining("1500 bytes");
        }
    }

    @Test
    void namesWhatItCannotShowOfADamagedJournal() throws IOException {
        Oracles.needE2fsprogs();
        Path image = folder.resolve("image");
        E2fsprogs.mke2fs(image, BYTES);
        E2fsprogs.debugfs(image, true, "clri <8>");
        assertThat(info(image)).contains("Journal inode:            8", "cannot be shown: ");
    }
}
