// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.block.BlockDevice;
import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import ext4.api.fs.MountOptions;
import ext4.lab.stack.Paths;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an unlink writes to the orphan list on disk, by the counter that status shows. */
class ClosedFileTest {
    private static final int FILES = 500;
    /** No commit but those that are asked for. */
    private static final int COMMIT_SECONDS = 3600;

    @TempDir
    Path temp;

    @BeforeAll
    static void judges() {
        Oracles.needE2fsprogs();
    }

    @ParameterizedTest
    @CsvSource({"sharded, orphan_file", "sharded, ^orphan_file", "global, ^orphan_file"})
    void shardedWritesNothingWhenNobodyHasTheFileOpen(String strategy, String feature) {
        Path image = temp.resolve("disk.img");
        E2fsprogs.mke2fs(image, 64 << 20, "-O", feature);
        MountOptions defaults = MountOptions.DEFAULTS;
        MountOptions options = new MountOptions(
                defaults.readOnly(),
                defaults.noload(),
                defaults.sync(),
                defaults.atime(),
                COMMIT_SECONDS,
                defaults.barrier(),
                defaults.errors(),
                defaults.alwaysRemoveOrphans());
        try (BlockDevice device = Stack.open(image, false);
                CoreFileSystem fs = Stack.mount(device, options, strategy)) {
            Attributes out = new Attributes();
            for (int i = 0; i < FILES; i++) {
                fs.create(Credentials.ROOT, Paths.ROOT, Paths.bytes("file" + i), 0600, out);
                fs.forget(out.ino, 1);
            }
            fs.syncfs();
            long before = changesOnDisk(fs);
            for (int i = 0; i < FILES; i++) {
                fs.unlink(Credentials.ROOT, Paths.ROOT, Paths.bytes("file" + i));
            }
            fs.syncfs();
            long changes = changesOnDisk(fs) - before;
            if (strategy.equals("sharded")) {
                assertThat(changes).isZero();
            } else {
                assertThat(changes).isGreaterThanOrEqualTo(2L * FILES);
            }
            assertThat(fs.orphans()).isEmpty();
        }
        E2fsprogs.assertClean(image, strategy);
    }

    private static long changesOnDisk(CoreFileSystem fs) {
        return Long.parseLong(fs.status().get("orphan changes on disk"));
    }
}
