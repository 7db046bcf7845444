// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.engine.JupiterTestEngine;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The outcome of the tests of one class, run by this process:
 *
 * <pre>{@code
 * ContractRun.of(MyStrategyContract.class).assertPassed();
 * }</pre>
 *
 * @param passed how many tests passed
 * @param skipped how many were skipped, by an assumption for example
 * @param failures those that failed
 */
public record ContractRun(int passed, int skipped, List<Failure> failures) {
    /** A test that does not end within so many seconds has failed. */
    public static final int LIMIT_SECONDS = 120;

    /** A test that failed: the method's name, and what it threw. */
    public record Failure(String test, Throwable cause) {}

    /**
     * Runs all tests of the class and of those nested in it, in this thread.
     *
     * @param testClass a class with a constructor without parameters; it need not be public
     */
    public static ContractRun of(Class<?> testClass) {
        return run(testClass, LIMIT_SECONDS, name -> true);
    }

    /** As {@link #of}, but only the test methods of these names, with that limit for each. */
    public static ContractRun of(Class<?> testClass, int limitSeconds, String... methods) {
        Set<String> names = Set.of(methods);
        return run(testClass, limitSeconds, names::contains);
    }

    /** As {@link #of}, without the test methods of these names. */
    public static ContractRun without(Class<?> testClass, String... methods) {
        Set<String> names = Set.of(methods);
        return run(testClass, LIMIT_SECONDS, name -> !names.contains(name));
    }

    private static ContractRun run(Class<?> testClass, int limitSeconds, Predicate<String> methods) {
        Launcher launcher = LauncherFactory.create(LauncherConfig.builder()
                .enableTestEngineAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .enableLauncherDiscoveryListenerAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .enablePostDiscoveryFilterAutoRegistration(false)
                .addTestEngines(new JupiterTestEngine())
                .build());
        PostDiscoveryFilter filter = test -> FilterResult.includedIf(test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> methods.test(((MethodSource) source).getMethodName()))
                .orElse(true));
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(testClass))
                .configurationParameter("junit.jupiter.execution.timeout.default", limitSeconds + " s")
                .configurationParameter("junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD")
                .filters(filter)
                .enableImplicitConfigurationParameters(false)
                .build();
        Listener listener = new Listener();
        launcher.execute(request, listener);
        return new ContractRun(listener.passed, listener.skipped, List.copyOf(listener.failures));
    }

    /**
     * Fails unless there were tests and all of them passed or were skipped.
     *
     * @throws AssertionError that names each test that failed, with the causes as suppressed exceptions
     */
    public ContractRun assertPassed() {
        if (failures.isEmpty() && passed > 0) {
            return this;
        }
        AssertionError error =
                new AssertionError(passed + " tests passed, " + skipped + " skipped, " + failures.size() + " failed"
                        + failures.stream()
                                .map(each -> "\n  " + each.test + ": " + each.cause)
                                .collect(Collectors.joining()));
        failures.forEach(each -> error.addSuppressed(each.cause));
        throw error;
    }

    /** Names of the methods that failed, each once. */
    public List<String> failed() {
        return failures.stream().map(Failure::test).distinct().toList();
    }

    private static final class Listener implements TestExecutionListener {
        private final List<Failure> failures = new ArrayList<>();
        private int passed;
        private int skipped;

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            skipped++;
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            switch (result.getStatus()) {
                case SUCCESSFUL -> passed += test.isTest() ? 1 : 0;
                case ABORTED -> skipped++;
                case FAILED ->
                    failures.add(new Failure(name(test), result.getThrowable().orElseThrow()));
            }
        }

        private static String name(TestIdentifier test) {
            return test.getSource()
                    .filter(MethodSource.class::isInstance)
                    .map(source -> ((MethodSource) source).getMethodName())
                    .orElse(test.getDisplayName());
        }
    }
}
