// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.core.check.Check;
import ext4.lab.fuzz.Finding.Kind;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** Damages images, one after the other in some threads, and tells what is found. */
final class FuzzRun {
    /** Images of a hundred on which the checker must agree with e2fsck. */
    static final double LEAST_AGREEMENT = 98;

    /** How long an operation in memory may take, on a machine that others use too. */
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long LOOK_MILLIS = 200;
    private static final int MOST_TOLD = 12;
    /** Threads that filesystems may have running beside the workers; more have been left behind. */
    private static final int MOST_THREADS = 200;

    /**
     * What is asked for.
     *
     * @param images how many
     * @param seed of the first; the others follow
     * @param threads that work
     * @param every one image in so many is shown to e2fsck
     */
    record Settings(long images, long seed, int threads, int every) {}

    private final Settings settings;
    private final Path folder;
    private final List<Base> bases;
    private final PrintStream out;
    private final Totals totals = new Totals();
    private final AtomicLong next = new AtomicLong();
    private final Map<Watchdog, Thread> working = new ConcurrentHashMap<>();
    private final Map<Kind, AtomicLong> told = new ConcurrentHashMap<>();

    FuzzRun(Settings settings, Path folder, PrintStream out) throws IOException {
        this.settings = settings;
        this.folder = folder;
        this.out = out;
        try (LogWatch quiet = new LogWatch()) {
            bases = Bases.make(folder);
        }
    }

    Totals totals() {
        return totals;
    }

    /** Whether nothing was found that must not be. */
    boolean run() throws InterruptedException {
        try (LogWatch log = new LogWatch();
                Progress progress = new Progress()) {
            for (int i = 0; i < settings.threads(); i++) {
                start();
            }
            while (!working.isEmpty()) {
                watch(log);
                progress.show(totals);
                for (Thread thread : working.values()) {
                    thread.join(LOOK_MILLIS);
                }
                working.values().removeIf(thread -> !thread.isAlive());
            }
            watch(log);
        }
        out.println(totals.details());
        return totals.isGood();
    }

    private void start() {
        Watchdog watchdog = new Watchdog();
        Thread thread = Thread.ofPlatform().daemon().name("fuzz").unstarted(() -> work(watchdog));
        watchdog.of(thread);
        working.put(watchdog, thread);
        thread.start();
    }

    private void work(Watchdog watchdog) {
        try (Judge judge = new Judge(folder)) {
            for (long i = next.getAndIncrement();
                    i < settings.images() && working.containsKey(watchdog);
                    i = next.getAndIncrement()) {
                one(settings.seed() + i, i % settings.every() == 0 ? judge : null, watchdog);
            }
        } catch (RuntimeException | Error e) {
            found(Kind.CRASH, "the fuzzer itself: " + Steps.stack(e));
        } finally {
            working.remove(watchdog);
        }
    }

    /** The image of a seed. */
    Base base(long seed) {
        return bases.get(Math.floorMod(seed, bases.size()));
    }

    /** The image of that name. */
    Base base(String name) {
        return bases.stream()
                .filter(b -> b.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no image is called " + name + ": "
                        + bases.stream().map(Base::name).collect(Collectors.joining(", "))));
    }

    private void one(long seed, Judge judge, Watchdog watchdog) {
        Base base = base(seed);
        List<Mutation> mutations = new Damages(base, seed).choose();
        Trial trial = trial(base, mutations, seed, judge, watchdog);
        totals.image(trial);
        if (judge != null) {
            totals.judged(trial.agrees());
        }
        Set<Kind> seen = new HashSet<>();
        for (Finding finding : trial.findings()) {
            if (seen.add(finding.kind())) {
                tell(base, seed, mutations, finding, judge, watchdog);
            }
        }
    }

    /** Everything that is done with one image; {@code judge} may be null. */
    Trial trial(Base base, List<Mutation> mutations, long seed, Judge judge, Watchdog watchdog) {
        Trial trial = new Trial(base, mutations, seed, watchdog);
        trial.run();
        int exit = trial.check();
        if (judge != null) {
            compare(base, trial, exit, judge);
        }
        trial.checkAfter(exit);
        return trial;
    }

    private void compare(Base base, Trial trial, int exit, Judge judge) {
        Tool.Result theirs = judge.check(base, trial.canvas());
        boolean agree = exit == Check.CLEAN == (theirs.exit() == 0);
        if (!agree) {
            Kind kind = exit == Check.CLEAN ? Kind.MISSED : Kind.STRICTER;
            trial.disagrees(
                    kind,
                    "e2fsck exits with " + theirs.exit() + ":" + lines(theirs.output()) + " but here:"
                            + lines(trial.checked()));
        }
    }

    private static String lines(String output) {
        return output.lines()
                .filter(line -> !line.startsWith("Pass ") && !line.startsWith("e2fsck 1.") && !line.isBlank())
                .limit(12)
                .map(line -> System.lineSeparator() + "      " + line)
                .collect(Collectors.joining());
    }

    private void tell(Base base, long seed, List<Mutation> mutations, Finding finding, Judge judge, Watchdog watchdog) {
        totals.found(finding.kind());
        if (told.computeIfAbsent(finding.kind(), k -> new AtomicLong()).incrementAndGet() > MOST_TOLD) {
            return;
        }
        boolean needsJudge = finding.kind() == Kind.MISSED || finding.kind() == Kind.STRICTER;
        Minimiser minimiser = new Minimiser(fewer ->
                trial(base, fewer, seed, needsJudge ? judge : null, watchdog).findings());
        List<Mutation> least = minimiser.minimise(mutations, finding);
        synchronized (out) {
            out.println("found, seed " + seed + ": " + finding);
            out.println("  needed: " + text(base, least));
        }
    }

    private void found(Kind kind, String text) {
        totals.found(kind);
        synchronized (out) {
            out.println("found: " + kind + " in " + text);
        }
    }

    /** An image and its changes, as {@link #parse} reads them. */
    static String text(Base base, List<Mutation> mutations) {
        return base.name() + ": " + mutations.stream().map(Mutation::toString).collect(Collectors.joining("; "));
    }

    /** The changes of such a text. */
    static List<Mutation> parse(String text) {
        return Arrays.stream(text.substring(text.indexOf(':') + 1).split(";"))
                .map(String::strip)
                .map(Mutation::parse)
                .toList();
    }

    /** Looks at what the threads are doing, at the log, and at how many threads there are. */
    private void watch(LogWatch log) {
        for (Map.Entry<Watchdog, Thread> entry : new ArrayList<>(working.entrySet())) {
            String overdue = entry.getKey().overdue(LIMIT_NANOS);
            if (overdue != null && working.remove(entry.getKey()) != null) {
                found(Kind.HANG, overdue);
                start(); // the thread is given up
            }
        }
        for (String foreign = log.next(); foreign != null; foreign = log.next()) {
            found(Kind.FOREIGN, "the log: " + foreign);
        }
        int threads = Thread.activeCount();
        if (threads > MOST_THREADS) {
            found(Kind.CRASH, threads + " threads: filesystems leave some behind");
            next.set(settings.images());
        }
    }
}
