// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

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
import org.junit.jupiter.params.provider.ValueSource;

/** i_dtime of an inode that leaves the chain alive is 0 again, also where the strategy writes only at close. */
class OrphanFieldTest {
    @TempDir
    Path temp;

    @BeforeAll
    static void judges() {
        Oracles.needE2fsprogs();
    }

    @ParameterizedTest
    @ValueSource(strings = {"global", "sharded"})
    void aTmpfileThatGetsANameCarriesNoLinkOfTheChain(String strategy) {
        Path image = temp.resolve("disk.img");
        E2fsprogs.mke2fs(image, 8 << 20, "-O", "^orphan_file");
        try (BlockDevice device = Stack.open(image, false);
                CoreFileSystem fs = Stack.mount(device, MountOptions.DEFAULTS, strategy)) {
            Attributes older = new Attributes();
            Attributes newer = new Attributes();
            fs.tmpfile(Credentials.ROOT, Paths.ROOT, 0600, older);
            fs.tmpfile(Credentials.ROOT, Paths.ROOT, 0600, newer);
            fs.syncfs(); // both are in the chain on disk now, one linking to the other
            fs.link(Credentials.ROOT, older.ino, Paths.ROOT, Paths.bytes("older"), new Attributes());
            fs.link(Credentials.ROOT, newer.ino, Paths.ROOT, Paths.bytes("newer"), new Attributes());
        }
        E2fsprogs.assertClean(image, strategy);
    }
}
