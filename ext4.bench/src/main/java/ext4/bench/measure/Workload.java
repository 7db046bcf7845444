// SPDX-License-Identifier: Apache-2.0
package ext4.bench.measure;

import ext4.bench.subject.Subject;
import ext4.bench.worker.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a report measures. */
public sealed interface Workload {
    /** Name for options and files. */
    String name();

    /** Numbers of tasks to measure with. */
    List<Integer> tasks();

    /** One round on one subject. */
    List<Answer> run(Subject subject, int tasks) throws IOException;

    /**
     * Report 1.
     *
     * @param tasks numbers of tasks
     * @param millis length of a run
     */
    record Fchown(List<Integer> tasks, int millis) implements Workload {
        @Override
        public String name() {
            return "fchown";
        }

        @Override
        public List<Answer> run(Subject subject, int count) throws IOException {
            return List.of(subject.measure("fchown", count, millis));
        }
    }

    /**
     * Report 2.
     *
     * @param tasks numbers of tasks
     * @param files in each directory through FUSE
     * @param fastFiles in each directory where no FUSE is in between
     */
    record Unlink(List<Integer> tasks, int files, int fastFiles) implements Workload {
        /** The phases in order. */
        public static final List<String> PHASES = List.of("create", "find", "remove");

        @Override
        public String name() {
            return "unlink";
        }

        @Override
        public List<Answer> run(Subject subject, int count) throws IOException {
            List<Answer> answers = new ArrayList<>();
            for (String phase : PHASES) {
                answers.add(subject.measure(phase, count, subject.fast() ? fastFiles : files));
            }
            return answers;
        }
    }
}
