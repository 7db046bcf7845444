// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import ext4.testkit.oracle.Oracles;
import org.junit.AssumptionViolatedException;
import org.junit.runner.Description;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunNotifier;
import org.junit.runners.model.InitializationError;
import org.opentest4j.TestAbortedException;
import org.ops4j.pax.exam.junit.PaxExam;

/** Pax Exam where a FUSE mount is possible; else it skips the tests and says why, which from inside no one would hear. */
public final class FuseRunner extends PaxExam {
    /** For JUnit. */
    public FuseRunner(Class<?> test) throws InitializationError {
        super(test);
    }

    @Override
    public void run(RunNotifier notifier) {
        try {
            Oracles.needFuse();
        } catch (TestAbortedException e) {
            skip(getDescription(), notifier, e.getMessage());
            return;
        } catch (AssertionError e) { // it must be possible here
            notifier.fireTestFailure(new Failure(getDescription(), e));
            return;
        }
        super.run(notifier);
    }

    private static void skip(Description tests, RunNotifier notifier, String reason) {
        for (Description test : tests.getChildren()) {
            notifier.fireTestStarted(test);
            notifier.fireTestAssumptionFailed(new Failure(test, new AssumptionViolatedException(reason)));
            notifier.fireTestFinished(test);
        }
    }
}
