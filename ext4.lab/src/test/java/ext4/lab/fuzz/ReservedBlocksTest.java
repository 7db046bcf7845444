// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.CorruptException;
import ext4.api.fs.Credentials;
import ext4.api.fs.MountOptions;
import ext4.lab.stack.Stack;
import ext4.testkit.oracle.Oracles;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The blocks of the journal and of the orphan file are no other file's, as the kernel's block_validity has it for the journal. */
class ReservedBlocksTest {
    private static final byte[] NAME = "attributes".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path folder;

    private Base modern() throws Exception {
        Oracles.needE2fsprogs();
        return Bases.make(folder).getFirst();
    }

    @Test
    void aFileThatPointsNowhereElseCanBeReadAndWritten() throws Exception {
        Base base = modern();
        try (CoreFileSystem fs = mount(new Canvas(base))) {
            int ino = lookup(fs);
            assertThat(fs.read(ino, 0, ByteBuffer.allocate(100))).isEqualTo(100);
            assertThat(fs.write(Credentials.ROOT, ino, 0, ByteBuffer.wrap(new byte[50]), 0))
                    .isEqualTo(50);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"journal", "orphans 0", "inodebitmap 0"})
    void aFileThatPointsAtThemIsCorrupt(String part) throws Exception {
        Base base = modern();
        Canvas canvas = new Canvas(base);
        int ino;
        try (CoreFileSystem fs = mount(new Canvas(base))) {
            ino = lookup(fs);
        }
        long stolen = base.part(part).pblk();
        new Mutation("extents " + ino, "e0.ee_start_lo", stolen, false).apply(base, canvas);
        byte[] before = canvas.copy(stolen);
        try (CoreFileSystem fs = mount(canvas)) {
            assertThatThrownBy(() -> lookup(fs))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining("ee_start");
        }
        assertThat(canvas.copy(stolen)).isEqualTo(before);
    }

    @Test
    void aBitmapThatCallsThemFreeIsCorrupt() throws Exception {
        Base base = modern();
        Canvas canvas = new Canvas(base);
        long journal = base.part("journal").pblk();
        long bit = journal - base.superblock().firstDataBlock();
        List<Mutation> damage = List.of(
                new Mutation("blockbitmap 0", Mutation.BIT, bit, false),
                new Mutation("group 0", "bg_free_blocks_count_lo", free(base) + 1, false));
        damage.forEach(mutation -> mutation.apply(base, canvas));
        try (CoreFileSystem fs = mount(canvas)) {
            int ino = lookup(fs);
            assertThatThrownBy(() -> fs.write(Credentials.ROOT, ino, 1 << 20, ByteBuffer.wrap(new byte[5000]), 0))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining("bit of metadata block " + journal);
        }
    }

    private static long free(Base base) {
        Part group = base.part("group 0");
        int off = (int) group.pblk() * base.blockSize() + group.at();
        return group.field("bg_free_blocks_count_lo").get(base.image(), off);
    }

    private static CoreFileSystem mount(Canvas canvas) {
        return Stack.mount(new FuzzDevice("image", canvas, false, 100_000), MountOptions.DEFAULTS, "sharded");
    }

    private static int lookup(CoreFileSystem fs) {
        Attributes found = new Attributes();
        fs.lookup(Walk.ROOT, NAME, found);
        return found.ino;
    }
}
