// SPDX-License-Identifier: Apache-2.0
package ext4.bench.measure;

import ext4.bench.load.FailedCall;
import ext4.bench.subject.Label;
import ext4.bench.subject.Subject;
import ext4.bench.subject.Unavailable;
import ext4.bench.worker.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Measures several subjects in turn: all are brought up and warmed up, then each round makes each run on one after the
 * other, so that what disturbs the machine for a while disturbs all.
 */
public final class Rounds {
    private final Workload workload;
    private final boolean journal;
    private final int rounds;
    private final long warmupMillis;
    private final Progress progress;
    private final Consumer<String> leftOut;
    private final Samples samples = new Samples();
    private final Map<Label, OrphanWrites> orphanWrites = new LinkedHashMap<>();

    /**
     * Changes of the orphan list on disk.
     *
     * @param removed files removed meanwhile
     * @param changes adds and removes that changed a block
     */
    public record OrphanWrites(long removed, long changes) {
        private OrphanWrites plus(long moreRemoved, long moreChanges) {
            return new OrphanWrites(removed + moreRemoved, changes + moreChanges);
        }
    }

    /**
     * @param journal what the samples say about the subjects
     * @param warmupMillis how long each subject works before it is measured
     * @param leftOut told of each subject that can't be measured
     */
    public Rounds(
            Workload workload,
            boolean journal,
            int rounds,
            long warmupMillis,
            Progress progress,
            Consumer<String> leftOut) {
        this.workload = workload;
        this.journal = journal;
        this.rounds = rounds;
        this.warmupMillis = warmupMillis;
        this.progress = progress;
        this.leftOut = leftOut;
    }

    /** Measures those that can be had. */
    public Samples run(List<Subject> candidates) throws IOException, InterruptedException {
        List<Subject> subjects = new ArrayList<>();
        for (Subject subject : candidates) {
            progress.show(title() + ": starting " + subject.label());
            if (ready(subject)) {
                subjects.add(subject);
            }
        }
        for (int round = 1; round <= rounds; round++) {
            for (int tasks : workload.tasks()) {
                for (Subject subject : subjects) {
                    progress.show(title() + ": round " + round + " of " + rounds + ", " + tasks + " tasks, "
                            + subject.label());
                    measure(subject, tasks, round);
                }
            }
        }
        return samples;
    }

    /** What the remove phases wrote to the orphan list on disk, of each subject that tells. */
    public Map<Label, OrphanWrites> orphanWrites() {
        return orphanWrites;
    }

    private String title() {
        return workload.name() + (journal ? ", journal" : ", no journal");
    }

    private boolean ready(Subject subject) throws IOException, InterruptedException {
        try {
            subject.start();
            warmUp(subject);
            return true;
        } catch (Unavailable e) {
            leftOut.accept(subject.label() + " is left out: " + e.getMessage());
        } catch (FailedCall e) {
            if (subject.label().own()) {
                throw e;
            }
            leftOut.accept(subject.label() + " is left out: a call failed, " + e.getMessage());
        }
        return false;
    }

    private void warmUp(Subject subject) throws IOException {
        int most = workload.tasks().getLast();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(warmupMillis);
        do {
            workload.warmUp(subject, most);
            workload.warmUp(subject, workload.tasks().getFirst());
        } while (System.nanoTime() < end);
        subject.settle();
    }

    private void measure(Subject subject, int tasks, int round) throws IOException {
        OptionalLong before = subject.orphanChanges();
        for (Answer answer : workload.run(subject, tasks)) {
            samples.add(
                    new Sample(journal, subject.label(), answer.name(), tasks, round, answer.outcome(), answer.cpu()));
            if (answer.name().equals("remove") && before.isPresent()) {
                long changes = subject.orphanChanges().orElse(0) - before.getAsLong();
                long removed = answer.outcome().total();
                orphanWrites.merge(
                        subject.label(),
                        new OrphanWrites(removed, changes),
                        (old, more) -> old.plus(more.removed(), more.changes()));
            }
        }
        subject.settle();
    }
}
