// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import org.junit.jupiter.api.Test;

/** {@code ext4 lab kill}, shortly: each blow once. */
class KillTest {
    private static final String GOOD = ", broken: 0, wedged: 0, silent: 0, unclean: 0";

    @Test
    void whatWasSyncedSurvivesEachBlow() {
        Ext4.needMounts();
        Oracles.needTool("prlimit");
        Tool.Result result = Ext4.run("lab", "kill", "--seed", "7");
        String last =
                result.output().strip().lines().reduce((one, next) -> next).orElse("");
        assertThat(last)
                .as(result.output())
                .startsWith("kill rounds: 6, promises: ")
                .endsWith(GOOD);
        assertThat(last).doesNotContain("promises: 0,");
        assertThat(result.exit()).as(result.output()).isZero();
    }

    @Test
    void aBlowThatIsUnknownIsNamed() {
        Tool.Result result = Ext4.run("lab", "kill", "--blow", "flood");
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.output())
                .contains("--blow knows no 'flood', only kill, term, memory, disk, file_size, files");
    }
}
