// SPDX-License-Identifier: Apache-2.0
package ext4.journal.engine;

/** Joining threads. */
public final class Threads {
    private Threads() {}

    /** Returns when {@code thread} has ended, also if the calling thread is interrupted, which it then stays. */
    public static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
