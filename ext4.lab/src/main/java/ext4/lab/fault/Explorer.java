// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import ext4.api.fs.MountOptions.Errors;
import ext4.format.FormatException;
import ext4.testkit.oracle.E2fsprogs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Has each operation of the workload go wrong. */
public final class Explorer {
    private static final long IMAGE_BYTES = 4L << 20;
    private static final String FEATURES = "metadata_csum,64bit,dir_index,extents";
    private static final int TRIES = 4;

    /** How thorough. */
    public enum Depth {
        /** Each operation in one way, in one setting. */
        ONE_WAY,
        /** Each operation in each way, in one setting, which changes from one to the next. */
        EACH_WAY,
        /** Each operation in each way in each setting. */
        ALL
    }

    /** Figures of a run. */
    public record Figures(long faults, long lost, long hangs, long foreign, long missed) {
        /** Whether nothing was found. */
        public boolean isGood() {
            return lost == 0 && hangs == 0 && foreign == 0 && missed == 0;
        }

        @Override
        public String toString() {
            return "device faults: " + faults + ", data lost: " + lost + ", hangs: " + hangs + ", foreign exceptions: "
                    + foreign;
        }
    }

    private final long operations;
    private final long seed;
    private final Depth depth;
    private final Consumer<String> finding;
    private final Map<Setting, Lineage> lineages = new HashMap<>();
    private final Map<Boolean, Geometry> geometries = new HashMap<>();

    private final AtomicLong next = new AtomicLong();
    private final AtomicLong faults = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong hangs = new AtomicLong();
    private final AtomicLong foreign = new AtomicLong();
    private final AtomicLong missed = new AtomicLong();

    /**
     * @param operations of the workload, from its first
     * @param finding told of each trial that showed something
     */
    public Explorer(long operations, long seed, Depth depth, Consumer<String> finding) {
        this.operations = operations;
        this.seed = seed;
        this.depth = depth;
        this.finding = finding;
    }

    /** Makes the workload on good devices. */
    public void prepare() throws IOException {
        Path folder = Files.createTempDirectory("ext4-lab.");
        Path image = folder.resolve("fresh.img");
        try {
            for (boolean journal : new boolean[] {true, false}) {
                String features = FEATURES + (journal ? ",has_journal,orphan_file" : ",^has_journal");
                String[] options = journal
                        ? new String[] {"-b", "1024", "-g", "2048", "-N", "256", "-O", features, "-J", "size=1"}
                        : new String[] {"-b", "1024", "-g", "2048", "-N", "256", "-O", features};
                E2fsprogs.mke2fs(image, IMAGE_BYTES, options);
                Snapshot fresh = Snapshot.read(image);
                geometries.put(journal, new Geometry(fresh));
                for (Setting setting : Setting.all()) {
                    if (setting.journal() == journal) {
                        lineages.put(setting, Lineage.make(setting, fresh, operations, seed));
                    }
                }
            }
        } catch (FormatException e) {
            throw new IOException("mke2fs made something else: " + e.getMessage(), e);
        } finally {
            Files.deleteIfExists(image);
            Files.deleteIfExists(folder);
        }
    }

    /** Trials that {@link #run} makes. */
    public long trials() {
        int ways = depth == Depth.ONE_WAY ? 1 : Way.values().length;
        int settings = depth == Depth.ALL ? Setting.all().size() * Errors.values().length : 1;
        return operations * ways * settings;
    }

    /** Trials made so far. */
    public long done() {
        return Math.min(next.get(), trials());
    }

    /** The n-th trial. What is not tried in full is spread by numbers without a common divisor. */
    Case trial(long n) {
        Way[] ways = Way.values();
        List<Setting> settings = Setting.all();
        Errors[] errors = Errors.values();
        return switch (depth) {
            case ONE_WAY -> {
                long mixed = n * 7 + n / 11;
                yield new Case(
                        n,
                        ways[(int) (mixed % ways.length)],
                        settings.get((int) ((n + n / 13) % settings.size())),
                        errors[(int) ((n / 2 + n / 17) % errors.length)]);
            }
            case EACH_WAY -> {
                long operation = n / ways.length;
                yield new Case(
                        operation,
                        ways[(int) (n % ways.length)],
                        settings.get((int) ((n + operation) % settings.size())),
                        errors[(int) ((n / 2 + operation) % errors.length)]);
            }
            case ALL -> {
                long rest = n / ways.length;
                long last = rest / settings.size();
                yield new Case(
                        last / errors.length,
                        ways[(int) (n % ways.length)],
                        settings.get((int) (rest % settings.size())),
                        errors[(int) (last % errors.length)]);
            }
        };
    }

    /** Makes all trials, in as many threads as there are processors. */
    public Figures run() throws InterruptedException {
        int workers = Runtime.getRuntime().availableProcessors();
        try (QuietLog ignored = new QuietLog();
                ExecutorService pool = Executors.newFixedThreadPool(workers)) {
            List<Future<Void>> all = IntStream.range(0, workers)
                    .mapToObj(i -> pool.submit(this::work))
                    .toList();
            for (Future<Void> each : all) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError("a mistake of this tool", e);
        }
        return figures();
    }

    private Void work() throws IOException, InterruptedException {
        try (Fsck fsck = new Fsck()) {
            for (long n = next.getAndIncrement(); n < trials(); n = next.getAndIncrement()) {
                one(trial(n), fsck);
            }
        }
        return null;
    }

    /** A run of threads may need a few operations less than the first one did: then an earlier one goes wrong. */
    private void one(Case what, Fsck fsck) throws InterruptedException {
        Session session = lineages.get(what.setting()).at(what.operation());
        Outcome outcome = new Outcome();
        for (int i = 0; i < TRIES && !outcome.hit; i++) {
            long back = i == 0 ? 0 : session.operations() * i / 8 + 1;
            outcome =
                    new Trial(what, session, back, geometries.get(what.setting().journal()), fsck).run();
        }
        (outcome.hit ? faults : missed).incrementAndGet();
        lost.addAndGet(outcome.lost.isEmpty() ? 0 : 1);
        hangs.addAndGet(outcome.hangs.isEmpty() ? 0 : 1);
        foreign.addAndGet(outcome.foreign.isEmpty() ? 0 : 1);
        if (!outcome.isGood()) {
            finding.accept(describe(what, outcome));
        }
    }

    private String describe(Case what, Outcome outcome) {
        StringBuilder text = new StringBuilder(
                "operation " + what.operation() + " " + what.way() + " (--seed " + seed + " --case " + what + ")");
        outcome.lost.forEach(each -> text.append("\n  lost: ").append(each));
        outcome.hangs.forEach(each -> text.append("\n  hang: ").append(each));
        outcome.foreign.forEach(each -> text.append("\n  foreign: ").append(each));
        return text.toString();
    }

    /** Makes one trial, which {@code finding} is told of in any case. */
    Figures run(Case what) throws IOException, InterruptedException {
        try (Fsck fsck = new Fsck()) {
            one(what, fsck);
        }
        return figures();
    }

    private Figures figures() {
        return new Figures(faults.get(), lost.get(), hangs.get(), foreign.get(), missed.get());
    }

    /** Sessions of the workload, for people. */
    public String sessions() {
        Map<String, Integer> counts = new TreeMap<>();
        lineages.forEach((setting, lineage) -> counts.put(setting.toString(), lineage.sessions()));
        return counts.toString();
    }
}
