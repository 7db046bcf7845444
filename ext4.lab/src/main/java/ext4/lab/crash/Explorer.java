// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash;

import ext4.lab.crash.image.BaseImage;
import ext4.lab.crash.image.Kind;
import ext4.lab.crash.load.Plan;
import ext4.lab.crash.load.Plans;
import ext4.lab.crash.load.Recording;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** One run: workload after workload, until there were as many states as asked for. */
final class Explorer {
    private static final long LOOK_MILLIS = 500;

    private final Settings settings;
    private final PrintStream out;
    private final Plans plans;
    private final Ledger ledger;
    private final boolean kernel;
    private final AtomicInteger next = new AtomicInteger();
    private final Map<Kind, BaseImage> bases = new EnumMap<>(Kind.class);
    private long began;
    private long statesBefore;

    Explorer(Settings settings, PrintStream out) throws IOException {
        this.settings = settings;
        this.out = out;
        plans = new Plans(settings.seed());
        ledger = new Ledger(settings, out);
        kernel = "root".equals(System.getProperty("user.name")) && Files.exists(Path.of("/dev/loop-control"));
    }

    Tally tally() {
        return ledger.tally();
    }

    /** Whether nothing was found. */
    boolean run() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(settings.scratch(), "ext4-crash");
        try {
            for (Kind kind : Kind.values()) {
                bases.put(kind, BaseImage.make(kind, folder));
            }
            began = System.nanoTime();
            statesBefore = tally().states.sum();
            work(folder);
        } finally {
            ledger.close();
            delete(folder);
        }
        tell();
        return tally().wrong.sum() == 0;
    }

    private void work(Path folder) throws IOException, InterruptedException {
        try (ExecutorService pool = Executors.newFixedThreadPool(settings.threads());
                Progress progress = new Progress()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < settings.threads(); i++) {
                Path mine = Files.createDirectory(folder.resolve("thread" + i));
                running.add(pool.submit(() -> {
                    explore(mine);
                    return null;
                }));
            }
            for (Future<?> each : running) {
                await(each, progress);
            }
        }
    }

    private void await(Future<?> worker, Progress progress) throws IOException, InterruptedException {
        while (true) {
            try {
                worker.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                progress.show(line());
            } catch (ExecutionException e) {
                throw new IOException("an explorer ended: " + e.getCause(), e.getCause());
            }
        }
    }

    private void explore(Path folder) throws IOException {
        Map<Kind, Judge> judges = new EnumMap<>(Kind.class);
        Map<Kind, Exploration> explorations = new EnumMap<>(Kind.class);
        try {
            for (int number = nextNumber(); number >= 0; number = nextNumber()) {
                Plan plan = plans.at(number);
                BaseImage base = bases.get(plan.kind());
                if (!judges.containsKey(plan.kind())) {
                    Judge judge = new Judge(base, folder.resolve(plan.kind() + ".img"), ledger.tally(), kernel);
                    judges.put(plan.kind(), judge);
                    explorations.put(plan.kind(), new Exploration(base, judge, ledger));
                }
                explore(plan, base, explorations.get(plan.kind()));
            }
        } finally {
            for (Judge judge : judges.values()) {
                judge.close();
            }
        }
    }

    /** -1 if there is nothing more to do. */
    private int nextNumber() {
        if (settings.only() >= 0) {
            return next.getAndIncrement() == 0 ? settings.only() : -1;
        }
        int number = next.getAndIncrement();
        while (ledger.done(number)) {
            number = next.getAndIncrement();
        }
        return ledger.finished() ? -1 : number;
    }

    private void explore(Plan plan, BaseImage base, Exploration exploration) throws IOException {
        Recording recording;
        try {
            recording = Recording.of(base, plan, settings.mutant());
        } catch (RuntimeException e) {
            ledger.wrong(plan + ", without a crash", new Wrong("it failed: " + e, e), "", null);
            return;
        }
        exploration.explore(base, plan, recording);
        ledger.explored(plan, recording.history());
    }

    private double seconds() {
        return (System.nanoTime() - began) / 1e9;
    }

    private double rate() {
        return (tally().states.sum() - statesBefore) / Math.max(0.001, seconds());
    }

    private String line() {
        return String.format(
                Locale.ROOT,
                "%d of %d states, %.0f/s, %d workloads, %d wrong",
                tally().states.sum(),
                settings.states(),
                rate(),
                tally().workloads.sum(),
                tally().wrong.sum());
    }

    private void tell() {
        Tally t = tally();
        int workloads = next.get();
        out.printf(
                Locale.ROOT,
                "%d prefixes, %d with writes lost or torn, %d of interrupted recoveries; %d more came again;"
                        + " e2fsck ran %d times, the kernel recovered %d%s, %d of them where e2fsck trips%n",
                t.prefixes.sum(),
                t.torn.sum(),
                t.interrupted.sum(),
                t.again.sum(),
                t.checks.sum(),
                t.kernel.sum(),
                kernel ? "" : " (it can't be asked: that needs root and loop devices)",
                t.tripped.sum());
        out.printf(
                Locale.ROOT,
                "%d workloads, with %d of the %d sequences of one and two operations, %d promises; %.0f s,"
                        + " %.0f states/s%n",
                t.workloads.sum(),
                settings.only() >= 0 ? 1 : plans.tried(workloads),
                plans.sequences(),
                t.promises.sum(),
                seconds(),
                rate());
        out.printf(
                Locale.ROOT,
                "crash states: %d, inconsistencies: %d, --seed %d%s%n",
                t.states.sum(),
                t.wrong.sum(),
                settings.seed(),
                settings.mutant().ordinal() == 0
                        ? ""
                        : ", mutant " + settings.mutant().text());
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
