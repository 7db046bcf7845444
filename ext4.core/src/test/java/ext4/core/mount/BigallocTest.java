// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import static ext4.core.mount.TestMount.ROOT;
import static ext4.core.mount.TestMount.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.MountOptions;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters of blocks: a feature that lets a filesystem be read. */
class BigallocTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void needOracles() {
        Oracles.needE2fsprogs();
    }

    /** i_blocks of a fast symbolic link counts the whole cluster of its attributes' block. */
    @Test
    void aFastSymbolicLinkMayHaveAClusterOfAttributes() {
        Path image = folder.resolve("image");
        String[] options = {"-b", "1024", "-C", "16384", "-I", "128", "-O", "bigalloc,extent,^has_journal"};
        E2fsprogs.mke2fs(image, 8L << 20, options);
        E2fsprogs.debugfs(image, true, "symlink s target");
        E2fsprogs.debugfs(image, true, "ea_set s trusted.a value");
        E2fsprogs.assertClean(image, "as it was made");
        try (TestMount mount = new TestMount(image, "sharded", MountOptions.DEFAULTS.withReadOnly(true))) {
            int ino = mount.lookup(ROOT, "s");
            assertThat(mount.fs.readlink(ino)).isEqualTo(bytes("target"));
            assertThat(mount.fs.getxattr(ino, bytes("trusted.a"))).isEqualTo(bytes("value"));
            assertThat(mount.stat(ino).sectors).isEqualTo(32);
        }
    }
}
