// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Delta debugging: leaves out of a failing sequence what it fails without, as long as that is possible. */
final class Shrink {
    private Shrink() {}

    /**
     * The shortest sequence found that fails still.
     *
     * @param steps which fail; the last one shows it
     * @param seconds how long to go on
     * @param fails whether a sequence fails in the same way
     */
    static List<Step> run(List<Step> steps, int seconds, Predicate<List<Step>> fails) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        List<Step> best = steps;
        int part = Math.max(1, steps.size() / 2);
        while (true) {
            boolean shorter = false;
            for (int from = Math.max(0, best.size() - 1 - part); best.size() > 1; from -= part) {
                if (System.nanoTime() > deadline) {
                    return best;
                }
                List<Step> without = new ArrayList<>(best);
                int to = Math.min(Math.max(from, 0) + part, best.size() - 1);
                without.subList(Math.max(from, 0), to).clear();
                if (without.size() < best.size() && fails.test(without)) {
                    best = without;
                    shorter = true;
                }
                if (from <= 0) {
                    break;
                }
            }
            if (part == 1 && !shorter) {
                return best;
            }
            part = Math.max(1, part / 2);
        }
    }
}
