// SPDX-License-Identifier: Apache-2.0
package ext4.bench.subject;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/**
 * What has to be undone, the latest first: by {@link #close}, or when the process is told to end. An undo must not mind
 * that there is nothing to undo. Thread-safe.
 */
public final class Cleanup implements AutoCloseable {
    /** Undoes something; says on standard error what it could not. */
    @FunctionalInterface
    public interface Undo {
        void run();
    }

    /** Guarded by this. */
    private final Deque<Undo> undos = new ArrayDeque<>();
    /** Guarded by this. */
    private boolean ending;

    /** From now on everything is undone when the process ends, Ctrl-C included. */
    public Cleanup() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "clean up"));
    }

    /** Registers an undo. When the process is ending it runs at once and the caller goes no further. */
    public void add(Undo undo) {
        synchronized (this) {
            if (!ending) {
                undos.push(undo);
                return;
            }
        }
        undo.run();
        while (true) {
            LockSupport.park(this); // the process ends any moment
        }
    }

    /** Goes no further if the process is ending: what fails then fails because its ground was taken away. */
    public void stopIfEnding() {
        synchronized (this) {
            if (!ending) {
                return;
            }
        }
        while (true) {
            LockSupport.park(this);
        }
    }

    /** Undoes what was registered after {@code mark}, as {@link #mark} told it. */
    public void backTo(int mark) {
        Undo undo;
        while ((undo = pop(mark)) != null) {
            undo.run();
        }
    }

    /** How much is registered. */
    public synchronized int mark() {
        return undos.size();
    }

    @Override
    public void close() {
        backTo(0);
    }

    private void end() {
        synchronized (this) {
            ending = true;
        }
        close();
    }

    private synchronized Undo pop(int mark) {
        return undos.size() > mark ? undos.pop() : null;
    }
}
