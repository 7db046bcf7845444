// SPDX-License-Identifier: Apache-2.0
package ext4.bench.jmh;

import ext4.bench.report.Table;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmarks of this package with 1 and 2 threads. */
public final class JmhRun {
    private static final List<Integer> THREADS = List.of(1, 2);

    private JmhRun() {}

    /**
     * The results as a table.
     *
     * @param only a regular expression of benchmarks, null for all
     * @param millis of an iteration
     * @param iterations for warm-up, and the same to measure
     */
    public static String run(String only, int millis, int iterations) throws RunnerException {
        Table table = new Table("benchmark", "parameters", "threads", "ns per call", "+/-");
        for (int threads : THREADS) {
            TimeValue time = new TimeValue(millis, TimeUnit.MILLISECONDS);
            Options options = new OptionsBuilder()
                    .include(only == null ? JmhRun.class.getPackageName() + "\\." : only)
                    .threads(threads)
                    .forks(1)
                    .warmupIterations(iterations)
                    .warmupTime(time)
                    .measurementIterations(iterations)
                    .measurementTime(time)
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT)
                    .jvmArgsAppend(
                            "-XX:+UseCompactObjectHeaders",
                            "--sun-misc-unsafe-memory-access=allow",
                            "-Dlogback.configurationFile=ext4/bench/logback.xml")
                    .build();
            rows(table, threads, new Runner(options).run());
        }
        return table.text();
    }

    private static void rows(Table table, int threads, Collection<RunResult> results) {
        for (RunResult run : results) {
            Result<?> result = run.getPrimaryResult();
            String name = run.getParams().getBenchmark().replaceFirst(".*\\.(\\w+\\.\\w+)$", "$1");
            StringBuilder parameters = new StringBuilder();
            run.getParams()
                    .getParamsKeys()
                    .forEach(key -> parameters
                            .append(parameters.isEmpty() ? "" : " ")
                            .append(run.getParams().getParam(key)));
            table.row(
                    name,
                    parameters.toString(),
                    Integer.toString(threads),
                    String.format(Locale.ROOT, "%.1f", result.getScore()),
                    String.format(Locale.ROOT, "%.1f", result.getScoreError()));
        }
    }
}
