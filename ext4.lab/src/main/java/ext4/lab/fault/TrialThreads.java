// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import java.util.ArrayList;
import java.util.List;

/** All threads of one trial, those of the filesystem included: they are made by its thread. */
final class TrialThreads extends ThreadGroup {
    private static final long PATIENCE_MILLIS = 5_000;
    private static final int MOST = 64;

    // guarded by this
    private final List<String> foreign = new ArrayList<>();

    TrialThreads(String name) {
        super(name);
    }

    @Override
    public void uncaughtException(Thread thread, Throwable e) {
        foreign("thread " + thread.getName() + " ended with " + e);
    }

    /** Something that is none of the three kinds of errors. */
    synchronized void foreign(String what) {
        foreign.add(what);
    }

    synchronized List<String> foreign() {
        return List.copyOf(foreign);
    }

    /** Threads that are left after a while, but {@code own}. */
    List<Thread> left(Thread own) throws InterruptedException {
        List<Thread> left = new ArrayList<>();
        Thread[] found = new Thread[MOST];
        int count = enumerate(found);
        for (int i = 0; i < count; i++) {
            if (found[i] != own) {
                found[i].join(PATIENCE_MILLIS);
                if (found[i].isAlive()) {
                    left.add(found[i]);
                }
            }
        }
        return left;
    }

    /** Where all of them are. */
    String stacks() {
        StringBuilder text = new StringBuilder();
        Thread[] found = new Thread[MOST];
        int count = enumerate(found);
        for (int i = 0; i < count; i++) {
            text.append("  ")
                    .append(found[i].getName())
                    .append(": ")
                    .append(found[i].getState())
                    .append('\n');
            for (StackTraceElement frame : found[i].getStackTrace()) {
                text.append("    ").append(frame).append('\n');
            }
        }
        return text.toString();
    }
}
