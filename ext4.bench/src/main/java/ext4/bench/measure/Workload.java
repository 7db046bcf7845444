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

    /** What makes a subject do what a round does until that is compiled; all subjects get the same. */
    default void warmUp(Subject subject, int tasks) throws IOException {
        run(subject, tasks);
    }

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

        private static final int LISTINGS = 16;

        @Override
        public String name() {
            return "unlink";
        }

        @Override
        public List<Answer> run(Subject subject, int count) throws IOException {
            List<Answer> answers = new ArrayList<>();
            for (String phase : PHASES) {
                answers.add(measure(subject, phase, count));
            }
            return answers;
        }

        /**
         * Lists again and again what it made: a round has a request for each file in the other phases and one for dozens of
         * them in this, which would be measured while it is still being compiled.
         */
        @Override
        public void warmUp(Subject subject, int count) throws IOException {
            for (String phase : PHASES) {
                for (int i = phase.equals("find") ? LISTINGS : 1; i > 0; i--) {
                    measure(subject, phase, count);
                }
            }
        }

        private Answer measure(Subject subject, String phase, int count) throws IOException {
            return subject.measure(phase, count, subject.fast() ? fastFiles : files);
        }
    }
}
