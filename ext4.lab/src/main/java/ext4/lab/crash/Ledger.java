// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash;

import ext4.lab.crash.image.Image;
import ext4.lab.crash.load.History;
import ext4.lab.crash.load.Plan;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** What was seen, counted and found. Any thread. */
final class Ledger {
    private final Settings settings;
    private final PrintStream out;
    private final Tally tally = new Tally();
    private final Seen seen = new Seen();
    private final ResumeFile file;

    /** Reads what an earlier run did, if there is a file. */
    Ledger(Settings settings, PrintStream out) throws IOException {
        this.settings = settings;
        this.out = out;
        file = settings.resume() == null ? null : ResumeFile.open(settings, seen, tally);
    }

    long seed() {
        return settings.seed();
    }

    Tally tally() {
        return tally;
    }

    /** Whether an earlier run did it. */
    boolean done(int workload) {
        return file != null && file.done(workload);
    }

    /** Counts a state; false if one with the same bytes was judged before. */
    boolean fresh(long hash) {
        boolean fresh = seen.add(hash);
        (fresh ? tally.states : tally.again).increment();
        if (fresh && file != null) {
            file.judged(hash);
        }
        return fresh;
    }

    /** Whether there is nothing more to do. */
    boolean enough() {
        return tally.wrong.sum() >= settings.enough();
    }

    /** Whether no further workload needs to begin. */
    boolean finished() {
        return enough() || tally.states.sum() >= settings.states();
    }

    /** A workload was explored. */
    void explored(Plan plan, History history) throws IOException {
        tally.workloads.increment();
        tally.promises.add(history.promises());
        if (file != null && !enough()) {
            file.explored(plan.number(), history.promises());
        }
    }

    void wrong(String when, Exception what, String history, Image image) throws IOException {
        tally.wrong.increment();
        long number = tally.wrong.sum();
        synchronized (out) {
            out.println("WRONG " + number + ": --seed " + settings.seed()
                    + (settings.mutant().ordinal() == 0
                            ? ""
                            : " --mutant " + settings.mutant().text()) + ", " + when);
            out.println("  " + history);
            out.println("  " + what.getMessage().replace("\n", "\n  "));
            for (Throwable cause = what.getCause(); cause != null; cause = cause.getCause()) {
                StackTraceElement[] stack = cause.getStackTrace();
                out.println("  " + cause + (stack.length > 0 ? " at " + stack[0] : ""));
                for (int i = 1; i < Math.min(stack.length, 8); i++) {
                    out.println("    at " + stack[i]);
                }
            }
        }
        if (settings.keep() != null && image != null) {
            Path path = settings.keep().resolve("crash-" + settings.seed() + "-" + number + ".img");
            Files.write(path, image.bytes());
        }
    }

    void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
