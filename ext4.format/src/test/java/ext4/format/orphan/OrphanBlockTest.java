// SPDX-License-Identifier: Apache-2.0
package ext4.format.orphan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.format.FormatException;
import ext4.format.superblock.Feature;
import ext4.format.superblock.Features;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import ext4.format.superblock.SuperblockInit;
import org.junit.jupiter.api.Test;

class OrphanBlockTest {
    private static Superblock superblock(Features features) throws FormatException {
        byte[] b = new SuperblockInit(features)
                .blocks(1024, 8193, 0)
                .groups(8192, 1024, 1024)
                .inodes(256, 32)
                .bytes();
        SuperblockFields.seal(b, 0);
        return Superblock.parse(b);
    }

    @Test
    void slotsFillAndFree() {
        byte[] b = new byte[1024];
        OrphanBlock.init(b, 1024);
        assertThat(OrphanBlock.slots(1024)).isEqualTo(254);
        assertThat(OrphanBlock.nextUsed(b, 1024, 0)).isEqualTo(-1);
        for (int slot = 0; slot < 254; slot++) {
            assertThat(OrphanBlock.nextFree(b, 1024, 0)).isEqualTo(slot);
            OrphanBlock.set(b, slot, -1 - slot);
        }
        assertThat(OrphanBlock.nextFree(b, 1024, 0)).isEqualTo(-1);
        assertThat(OrphanBlock.magic(b, 1024)).isEqualTo(OrphanBlock.MAGIC);
        OrphanBlock.set(b, 253, 0);
        assertThat(OrphanBlock.nextFree(b, 1024, 17)).isEqualTo(253);
        assertThat(OrphanBlock.get(b, 252)).isEqualTo(-253);
    }

    @Test
    void theSumCoversSlotsAndPlace() throws FormatException {
        Superblock sb = superblock(Features.NONE.with(Feature.METADATA_CSUM));
        byte[] b = new byte[1024];
        OrphanBlock.init(b, 1024);
        OrphanBlock.set(b, 9, 4711);
        OrphanBlock.seal(sb, 77, 500, b);
        OrphanBlock.check(sb, 77, 500, b);
        assertThat(OrphanBlock.verify(sb, 77, 501, b)).as("moved").isFalse();
        assertThat(OrphanBlock.verify(sb, 78, 500, b)).as("another inode's").isFalse();
        OrphanBlock.set(b, 9, 0);
        assertThatThrownBy(() -> OrphanBlock.check(sb, 77, 500, b))
                .hasMessageContaining("in block 500: ob_checksum is ");
        b[1016] = 0;
        assertThatThrownBy(() -> OrphanBlock.check(sb, 77, 500, b)).hasMessageContaining("ob_magic is 0xb10ca00");
    }

    @Test
    void withoutMetadataCsumNothingIsSummed() throws FormatException {
        Superblock sb = superblock(Features.NONE);
        byte[] b = new byte[1024];
        OrphanBlock.init(b, 1024);
        OrphanBlock.seal(sb, 77, 500, b);
        assertThat(b[1020] | b[1021] | b[1022] | b[1023]).isZero();
        OrphanBlock.check(sb, 1, 2, b);
    }
}
