// SPDX-License-Identifier: Apache-2.0
package ext4.bench.subject;

import ext4.bench.load.FailedCall;
import ext4.bench.worker.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** A filesystem that runs are made on. What it starts is undone by the {@link Cleanup} of its {@link Ground}. */
public abstract class Subject {
    private final Label label;
    private final Ground ground;

    Subject(Label label, Ground ground) {
        this.label = label;
        this.ground = ground;
    }

    /** Its name. */
    public final Label label() {
        return label;
    }

    final Ground ground() {
        return ground;
    }

    /**
     * Makes its image and brings it up.
     *
     * @throws Unavailable if it can't be had here
     */
    public abstract void start() throws Unavailable, IOException, InterruptedException;

    /** Whether no FUSE stands between the load and it, so that it takes more files to tell a time. */
    public abstract boolean fast();

    /** The process that carries out runs. */
    abstract Worker worker() throws IOException;

    /** What that process calls it. */
    abstract String place();

    /** The process that serves it, null if there is none besides the load's. */
    abstract Process server();

    /**
     * One run.
     *
     * @param amount milliseconds or files in a directory
     * @return its outcome, with the processor time of the load and the server
     */
    public final Answer measure(String request, int tasks, int amount) throws IOException {
        long before = serverNanos();
        Answer answer = Answer.parse(
                ask(request + " " + place() + " " + tasks + " " + amount).getFirst());
        return new Answer(answer.name(), answer.outcome(), answer.cpu() + serverNanos() - before);
    }

    /** Writes out what the last run left behind, so that it doesn't disturb the next one's. */
    public final void settle() throws IOException {
        ask("settle " + place());
    }

    /** Runs the load of report 2 while the strategies are switched to in turn; the lines of what happened. */
    public final List<String> live(int tasks, int millis, List<String> strategies) throws IOException {
        return ask("live " + place() + " " + tasks + " " + millis + " " + String.join(",", strategies));
    }

    /** Changes of its orphan list on disk so far; empty if it doesn't tell. */
    public OptionalLong orphanChanges() throws IOException {
        return OptionalLong.empty();
    }

    /** Sends a request to the worker. */
    final List<String> ask(String request) throws IOException {
        try {
            return worker().ask(request);
        } catch (FailedCall e) {
            throw new FailedCall(label.toString(), e.getMessage());
        }
    }

    private long serverNanos() {
        return server() == null
                ? 0
                : server().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    /** The number behind {@code orphan changes on disk} in the lines of a status. */
    static OptionalLong orphanChanges(Iterable<String> status) {
        String key = "orphan changes on disk: ";
        for (String line : status) {
            if (line.startsWith(key)) {
                return OptionalLong.of(Long.parseLong(line.substring(key.length())));
            }
        }
        return OptionalLong.empty();
    }
}
