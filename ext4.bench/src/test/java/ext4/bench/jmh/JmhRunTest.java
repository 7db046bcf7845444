// SPDX-License-Identifier: Apache-2.0
package ext4.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The benchmarks are found and run; JMH itself forks a process for each. */
@Timeout(120)
class JmhRunTest {
    @Test
    void eachStrategyAndNumberOfThreadsHasARow() throws Exception {
        assertThat(JmhRun.run("OrphanPair", 20, 1).lines())
                .anyMatch(line -> line.matches("OrphanPair.addAndRemove +global +1 +[0-9.]+ .*"))
                .anyMatch(line -> line.matches("OrphanPair.addAndRemove +sharded +2 +[0-9.]+ .*"))
                .hasSize(5);
    }
}
