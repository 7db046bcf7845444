// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.lab.fuzz.Finding.Kind;
import ext4.testkit.oracle.Oracles;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged images from a seed, one in ten shown to e2fsck. Other seeds: -Dext4.fuzz.seed, -Dext4.fuzz.images. */
class FuzzTest {
    @TempDir
    Path folder;

    @Test
    void nothingHangsCrashesOrIsMissed() throws Exception {
        Oracles.needE2fsprogs();
        long seed = Long.getLong("ext4.fuzz.seed", 1);
        long images = Long.getLong("ext4.fuzz.images", 5000);
        int threads = Runtime.getRuntime().availableProcessors();
        FuzzRun run = new FuzzRun(new FuzzRun.Settings(images, seed, threads, 10), folder, System.out);
        boolean good = run.run();
        Totals totals = run.totals();
        System.out.println("seed " + seed + ", " + totals.line());
        assertThat(totals.images()).isEqualTo(images);
        assertThat(totals.judged()).isEqualTo(images / 10);
        for (Kind kind : new Kind[] {Kind.HANG, Kind.CRASH, Kind.FOREIGN, Kind.MISSED}) {
            assertThat(totals.count(kind))
                    .as("%s, seed %d, see above", kind, seed)
                    .isZero();
        }
        assertThat(totals.agreement()).isGreaterThanOrEqualTo(FuzzRun.LEAST_AGREEMENT);
        assertThat(good).isTrue();
    }
}
