// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static ext4.itest.Options.base;
import static ext4.itest.Options.contracts;
import static ext4.itest.Options.device;
import static ext4.itest.Options.journal;
import static ext4.itest.Options.strategy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.options;

import ext4.testkit.run.ContractRun;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;

/** What the container publishes keeps the contracts of the kit, which run inside as they do in plain JUnit. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class ContractsIT {
    @Configuration
    public Option[] parts() {
        return options(base(), device(), journal(), strategy("global"), strategy("sharded"), contracts());
    }

    private static void keeps(ContractRun run, int tests) {
        assertThat(run.assertPassed().passed()).isGreaterThanOrEqualTo(tests);
    }

    @Test
    public void eachStrategy() {
        keeps(ContractRun.of(PublishedContracts.Global.class), 14);
        keeps(ContractRun.of(PublishedContracts.Sharded.class), 14);
    }

    @Test
    public void eachJournal() {
        // power lost at each write of long runs is left to plain JUnit; where e2fsprogs are missing the judges are
        // skipped
        keeps(ContractRun.without(PublishedContracts.Jbd2.class, "recoversToATransaction"), 50);
        keeps(ContractRun.of(PublishedContracts.WithoutALog.class), 29);
    }

    @Test
    public void theBlockDevice() {
        keeps(ContractRun.of(PublishedContracts.ImageFile.class), 12);
    }

    /** They can fail here too. */
    @Test
    public void aMistakeIsFound() {
        assertThat(ContractRun.of(PublishedContracts.Forgetful.class).failed())
                .contains("diskNamesEachWantedInodeOnceAtEveryClose");
    }
}
