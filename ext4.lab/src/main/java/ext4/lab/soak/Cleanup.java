// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/**
 * What has to be undone, the latest first: by {@link #close}, or when the process is told to end. An undo must not mind
 * that there is nothing to undo. Thread-safe.
 */
public final class Cleanup implements AutoCloseable {
    /** Guarded by this. */
    private final Deque<Runnable> undos = new ArrayDeque<>();
    /** Guarded by this. */
    private boolean ending;

    /** From now on everything is undone when the process ends, Ctrl-C included. */
    public Cleanup() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "clean up"));
    }

    /** Registers an undo. When the process is ending it runs at once and the caller goes no further. */
    public void add(Runnable undo) {
        synchronized (this) {
            if (!ending) {
                undos.push(undo);
                return;
            }
        }
        undo.run();
        park();
    }

    /** Goes no further if the process is ending: what fails then fails because its ground was taken away. */
    public void stopIfEnding() {
        synchronized (this) {
            if (!ending) {
                return;
            }
        }
        park();
    }

    private void park() {
        while (true) {
            LockSupport.park(this); // the process ends any moment
        }
    }

    @Override
    public void close() {
        for (Runnable undo = pop(); undo != null; undo = pop()) {
            undo.run();
        }
    }

    private void end() {
        synchronized (this) {
            ending = true;
        }
        close();
    }

    private synchronized Runnable pop() {
        return undos.poll();
    }
}
