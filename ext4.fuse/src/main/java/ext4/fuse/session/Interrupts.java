// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.session;

import ext4.api.fs.FileSystem;
import ext4.api.fs.Interruptible;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Requests that wait at the gate of the mount, by the number the kernel gave them. INTERRUPT ends such a wait; a request
 * that does not wait is answered, or about to be, and its INTERRUPT needs nothing.
 */
final class Interrupts {
    /** Interrupts kept for requests that have not begun to wait: the two may be read by different threads. */
    private static final int KEPT = 64;

    private final FileSystem fs;
    /** Guarded by this. */
    private final Map<Long, Thread> waiting = new HashMap<>();
    /** Oldest first. Guarded by this. */
    private final Set<Long> early = new LinkedHashSet<>();

    Interrupts(FileSystem fs) {
        this.fs = fs;
    }

    /** The calling thread's request waits. */
    void waits(long unique) {
        synchronized (this) {
            waiting.put(unique, Thread.currentThread());
            if (!early.remove(unique)) {
                return;
            }
        }
        end(Thread.currentThread());
    }

    /** It waits no longer. */
    synchronized void resumes(long unique) {
        waiting.remove(unique);
    }

    /** The kernel's INTERRUPT for that request. */
    void interrupt(long unique) {
        Thread thread;
        synchronized (this) {
            thread = waiting.get(unique);
            if (thread == null) {
                remember(unique);
                return;
            }
        }
        end(thread);
    }

    private void remember(long unique) {
        if (early.size() == KEPT) {
            Iterator<Long> oldest = early.iterator();
            oldest.next();
            oldest.remove();
        }
        early.add(unique);
    }

    private void end(Thread thread) {
        if (fs instanceof Interruptible gate) {
            gate.interrupt(thread);
        }
    }
}
