// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.Oracles;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** {@code ext4 lab fault}, shortly: each of the first 2 000 device operations goes wrong, in one way. */
class FaultTest {
    private static final int OPERATIONS = 2000;

    @Test
    void nothingIsLostWhicheverOperationGoesWrong() throws IOException, InterruptedException {
        Oracles.needE2fsprogs();
        List<String> findings = new CopyOnWriteArrayList<>();
        long seed = Long.getLong("ext4.seed", 20_261_130);
        Explorer explorer = new Explorer(OPERATIONS, seed, Explorer.Depth.ONE_WAY, findings::add);
        explorer.prepare();
        Explorer.Figures figures = explorer.run();
        assertThat(findings).as("seed %d (-Dext4.seed)", seed).isEmpty();
        assertThat(figures).hasToString("device faults: 2000, data lost: 0, hangs: 0, foreign exceptions: 0");
        assertThat(figures.isGood()).as("all operations were reached").isTrue();
    }
}
