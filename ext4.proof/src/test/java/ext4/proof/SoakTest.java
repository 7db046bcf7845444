// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import org.junit.jupiter.api.Test;

/** {@code ext4 lab soak}, shortly: the long run is an operator's. */
class SoakTest {
    private static final String GOOD = "failed calls: 0, differing files: 0, e2fsck: 0, swaps: ";

    private static String lastLine(Tool.Result result) {
        return result.output().strip().lines().reduce((one, next) -> next).orElse("");
    }

    /** The loads' models are right: the kernel's ext4 does what they say. */
    @Test
    void theKernelDoesWhatTheLoadsExpect() {
        Oracles.needKernelMounts();
        Tool.Result result = Ext4.run("lab", "soak", "--on", "kernel", "--seconds", "5");
        assertThat(lastLine(result)).as(result.output()).isEqualTo(GOOD + "0");
        assertThat(result.exit()).as(result.output()).isZero();
    }

    @Test
    void noCallFailsWhilePartsAreReplaced() {
        Ext4.needMounts();
        Oracles.needKernelMounts();
        Tool.Result result = Ext4.run("lab", "soak", "--seconds", "20");
        assertThat(lastLine(result)).as(result.output()).startsWith(GOOD).doesNotEndWith(" 0");
        assertThat(result.output()).contains("class loaders of replaced bundles were collected");
        assertThat(result.exit()).as(result.output()).isZero();
    }

    @Test
    void aWordThatIsUnknownIsNamed() {
        Tool.Result result = Ext4.run("lab", "soak", "--parts", "wheel");
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.output()).contains("--parts knows no 'wheel', only strategy, journal, core, transport");
    }
}
