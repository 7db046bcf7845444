// SPDX-License-Identifier: Apache-2.0
package ext4.bench.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Report 1: each task gives a file of its own to one owner and back, over and over. Two calls are a pair. */
public final class FchownLoad {
    private static final int OWNER = 1000;

    private volatile boolean stop;

    /**
     * Runs for {@code millis}.
     *
     * @return pairs and time of each task
     */
    public Outcome run(Place place, int tasks, long millis) throws InterruptedException {
        stop = false;
        long[] pairs = new long[tasks];
        Tasks ran = Tasks.run(
                place,
                tasks,
                (task, hands) -> hands.openOwn(),
                (task, hands) -> pairs[task] = pairs(hands),
                (task, hands) -> hands.removeOwn(),
                () -> {
                    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
                    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                        LockSupport.parkNanos(left);
                    }
                    stop = true;
                });
        return new Outcome(pairs, ran.ends(), 0);
    }

    private long pairs(Hands hands) {
        long pairs = 0;
        while (!stop) {
            hands.chown(OWNER);
            hands.chown(0);
            pairs++;
        }
        return pairs;
    }
}
