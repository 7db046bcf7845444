// SPDX-License-Identifier: Apache-2.0
package ext4.core.mkfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.format.superblock.Feature;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can't be made is refused in one line. */
class MkfsRefusalTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nonsense                      | unknown feature: nonsense",
                "^nonsense                     | unknown feature: ^nonsense",
                "bigalloc                      | feature bigalloc is not supported",
                "fast_commit                   | feature fast_commit is not supported",
                "needs_recovery                | feature needs_recovery is not supported",
                "^has_journal,orphan_file      | feature orphan_file needs feature has_journal",
                "^metadata_csum,metadata_csum_seed | feature metadata_csum_seed needs feature metadata_csum",
                "^extent,64bit                 | feature 64bit needs feature extent",
                "^sparse_super,resize_inode    | feature resize_inode needs feature sparse_super",
                "resize_inode,meta_bg          | features resize_inode and meta_bg exclude each other here",
            })
    void featuresThatDoNotGoTogether(String list, String message) {
        assertThatThrownBy(() -> new MkfsFeatures(list))
                .isInstanceOf(MkfsException.class)
                .hasMessage(message);
    }

    @Test
    void whatDependsOnAFeatureGoesWithIt() {
        MkfsFeatures features = new MkfsFeatures("^has_journal,^metadata_csum,^extent,^sparse_super");
        assertThat(features.has(Feature.ORPHAN_FILE)).isFalse();
        assertThat(features.has(Feature.CSUM_SEED)).isFalse();
        assertThat(features.has(Feature.BIT64)).isFalse();
        assertThat(features.has(Feature.RESIZE_INODE)).isFalse();
        assertThat(features.has(Feature.FLEX_BG)).isTrue();
    }

    @Test
    void metadataChecksumsReplaceThoseOfGroupsAlone() {
        assertThat(new MkfsFeatures("uninit_bg").has(Feature.GDT_CSUM)).isFalse();
        assertThat(new MkfsFeatures("uninit_bg,^metadata_csum").has(Feature.GDT_CSUM))
                .isTrue();
    }

    @Test
    void valuesOutOfRange() {
        MkfsOptions options = new MkfsOptions();
        assertThatThrownBy(() -> options.blockSize(512)).isInstanceOf(MkfsException.class);
        assertThatThrownBy(() -> options.inodeSize(200)).isInstanceOf(MkfsException.class);
        assertThatThrownBy(() -> options.inodeRatio(1000)).isInstanceOf(MkfsException.class);
        assertThatThrownBy(() -> options.reservedPercent(Double.NaN)).isInstanceOf(MkfsException.class);
        assertThatThrownBy(() -> options.reservedPercent(51)).isInstanceOf(MkfsException.class);
        assertThatThrownBy(() -> options.label("a label of 17 byt")).hasMessageContaining("17 bytes");
        assertThatThrownBy(() -> options.groupsPerFlex(3)).isInstanceOf(MkfsException.class);
    }

    @Test
    void sizesThatDoNotFitTheDevice() throws IOException {
        refused(0, new MkfsOptions(), "too small");
        refused(1000, new MkfsOptions(), "too small");
        refused(20_000, new MkfsOptions(), "too small");
        refused(1 << 20, new MkfsOptions().blocks(1 << 20), "exceed the device");
        refused(8 << 20, new MkfsOptions().journalBytes(1 << 10), "a journal has 1024 to");
        refused(8 << 20, new MkfsOptions().journalBytes(6 << 20), "too long for a filesystem");
        refused(64 << 20, new MkfsOptions().blockSize(1024).inodeSize(4096), "exceeds the block size");
        refused(64 << 20, new MkfsOptions().blockSize(4096).inodeSize(4096).inodeRatio(1024), "too many inodes");
    }

    private void refused(long bytes, MkfsOptions options, String message) throws IOException {
        try (ImageFile device = new ImageFile(folder.resolve("image"), bytes)) {
            assertThatThrownBy(() -> Mkfs.run(device, options, new PrintWriter(new StringWriter())))
                    .isInstanceOf(MkfsException.class)
                    .hasMessageContaining(message);
            assertThat(device.written()).isZero();
        }
    }
}
