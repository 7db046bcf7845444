// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Rounds of steps, each on a new filesystem. Belongs to one thread. */
public final class DiffRun implements AutoCloseable {
    private static final int ROUND = 1000;
    private static final int HUNDRED = 100;
    private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final PrintStream out;
    private final Ground ground;
    private final KernelSide kernel;
    private Side ours;
    private String where;
    private final Map<Known, Integer> listed = new EnumMap<>(Known.class);
    private final long began = System.nanoTime();
    private final int patience;
    private long operations;
    private long differences;
    private long complaints;
    private long lastLine = began;

    /**
     * A run.
     *
     * @param through FUSE instead of calls in this process
     * @param medium folder for the images, null for memory
     * @param patience how many seconds to look for a shorter sequence that fails
     * @param out where differences and figures go
     */
    public DiffRun(boolean through, Path medium, int patience, PrintStream out) {
        this(medium, patience, out, !through);
        ours = through ? new FuseSide(ground) : new CoreSide();
        where = through ? "mount" : "in-process";
    }

    /** A run against any side. */
    DiffRun(Side ours, Path medium, int patience, PrintStream out) {
        this(medium, patience, out, true);
        this.ours = ours;
        where = "test";
    }

    private DiffRun(Path medium, int patience, PrintStream out, boolean accessTimes) {
        this.patience = patience;
        this.out = out;
        ground = new Ground(medium);
        kernel = new KernelSide(ground, accessTimes);
    }

    /** Steps done on both sides. */
    public long operations() {
        return operations;
    }

    /** What differed, but for what is listed. */
    public long differences() {
        return differences;
    }

    /**
     * Random steps.
     *
     * @param wanted how many, at least
     * @param seed of the first round; each following has the next number
     * @param options of mke2fs(8), null for all that there are in turn
     */
    public void random(long wanted, long seed, String options) {
        for (long round = 0; operations < wanted; round++) {
            String chosen = options != null
                    ? options
                    : Setting.ALL.get((int) Math.floorMod(seed + round, (long) Setting.ALL.size()));
            round(Setting.of(chosen, seed + round), seed + round, wanted - operations);
        }
    }

    private void round(Setting setting, long seed, long left) {
        Random random = new Random(seed);
        Shape shape = new Shape();
        Generator generator = new Generator(random, shape, setting.blockSize());
        List<Step> done = new ArrayList<>();
        List<Difference> bad = List.of();
        try (Trial trial = new Trial(ground, setting, kernel, ours)) {
            for (int i = 1; i <= Math.min(ROUND, left + HUNDRED) && bad.isEmpty(); i++) {
                Step step = i % HUNDRED == 0 ? Step.of(Verb.CHECK) : generator.next();
                done.add(step);
                bad = unlisted(trial.step(step));
                shape.learn(step, trial.kernelAnswer());
                operations++;
                progress();
            }
        }
        if (!bad.isEmpty()) {
            report(setting, done, bad, "seed " + seed);
        }
    }

    private List<Difference> unlisted(List<Difference> found) {
        List<Difference> bad = new ArrayList<>();
        for (Difference difference : found) {
            Known known = Known.of(difference);
            if (known == null) {
                bad.add(difference);
            } else {
                listed.merge(known, 1, Integer::sum);
            }
        }
        return bad;
    }

    private void report(Setting setting, List<Step> done, List<Difference> bad, String origin) {
        differences++;
        String kind = bad.getFirst().kind();
        complaints += bad.stream().anyMatch(d -> d.kind().equals("e2fsck")) ? 1 : 0;
        out.println(
                "difference, " + origin + ", mke2fs " + setting.options() + ", " + done.size() + " steps, shrinking");
        bad.stream().limit(5).forEach(difference -> out.println("  " + difference));
        out.flush();
        List<Step> least = Shrink.run(done, patience, steps -> fails(setting, steps, kind));
        out.println("  the shortest that fails still (" + least.size() + " steps):");
        new Script(setting, least).lines().forEach(out::println);
        out.println();
        out.flush();
    }

    private boolean fails(Setting setting, List<Step> steps, String kind) {
        try (Trial trial = new Trial(ground, setting, kernel, ours)) {
            for (Step step : steps) {
                List<Difference> bad = unlisted(trial.step(step));
                if (!bad.isEmpty()) {
                    return bad.stream().anyMatch(difference -> difference.kind().equals(kind));
                }
            }
        }
        return false;
    }

    /**
     * Does the steps of a script once; all that differs is printed.
     *
     * @param keep folder for both images afterwards, or null
     */
    public void replay(List<String> lines, Path keep) {
        Script script = Script.parse(lines);
        try (Trial trial = new Trial(ground, script.setting(), kernel, ours)) {
            for (Step step : script.steps()) {
                List<Difference> bad = unlisted(trial.step(step));
                operations++;
                out.println(step + " -> " + trial.kernelAnswer());
                bad.forEach(difference -> out.println("  " + difference));
                differences += bad.size();
                complaints +=
                        bad.stream().filter(d -> d.kind().equals("e2fsck")).count();
            }
        }
        if (keep != null) {
            ground.keep(keep);
        }
    }

    private void progress() {
        long now = System.nanoTime();
        if (now - lastLine > LINE_NANOS) {
            lastLine = now;
            System.err.printf(
                    "lab: %d operations, %d differences, %d s%n",
                    operations, differences, TimeUnit.NANOSECONDS.toSeconds(now - began));
        }
    }

    /** The figures; whether nothing but what is listed differed. */
    public boolean finish() {
        listed.forEach((known, times) -> out.println("listed " + times + " times: " + known.reason()));
        int known = listed.values().stream().mapToInt(Integer::intValue).sum();
        out.printf(
                "operations: %d, differences: %d (listed: %d), e2fsck: %d%n",
                operations, differences + known, known, complaints);
        return differences == 0;
    }

    /** What it works on, for people. */
    public String place() {
        return where;
    }

    @Override
    public void close() {
        kernel.close();
        ours.close();
        ground.close();
    }
}
