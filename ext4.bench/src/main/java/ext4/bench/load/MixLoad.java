// SPDX-License-Identifier: Apache-2.0
package ext4.bench.load;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Create, setattr and unlink in turn by tasks with directories and files of their own, for a profile of all three. */
public final class MixLoad {
    private static final int BATCH = 50;

    private MixLoad() {}

    /** Files that were made, given to another owner, and removed, by each task. */
    public static long[] run(Place place, int tasks, int millis) throws InterruptedException {
        long[] files = new long[tasks];
        Tasks.run(
                place,
                tasks,
                (task, hands) -> {
                    hands.makeDirectory(task);
                    hands.openOwn();
                },
                (task, hands) -> files[task] = work(task, hands, millis),
                (task, hands) -> {
                    hands.removeOwn();
                    hands.removeDirectory(task);
                },
                () -> {});
        return Arrays.copyOf(files, tasks);
    }

    private static long work(int task, Hands hands, int millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long files = 0;
        while (System.nanoTime() < end) {
            for (int file = 0; file < BATCH; file++) {
                hands.create(task, file);
                hands.chown(file + 1);
            }
            for (int file = 0; file < BATCH; file++) {
                hands.unlink(task, file);
            }
            files += BATCH;
        }
        return files;
    }
}
