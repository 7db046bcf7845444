// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import java.util.Arrays;

/** Says in which bits two bitmaps differ, as runs: + in use but not marked, - marked but not in use. */
final class BitmapDiff {
    private static final int MOST_RUNS = 16;

    private final Report report;

    BitmapDiff(Report report) {
        this.report = report;
    }

    /** Compares the first {@code count} bits; bit 0 stands for number {@code first}. One line for a group. */
    void compare(String what, int group, byte[] found, byte[] wanted, int count, long first) {
        StringBuilder runs = new StringBuilder();
        int shown = 0;
        int bit = 0;
        while (bit < count) {
            if ((bit & 7) == 0) {
                int same = Arrays.mismatch(found, bit >>> 3, found.length, wanted, bit >>> 3, wanted.length);
                bit = same < 0 ? count : bit + 8 * same;
                if (bit >= count) {
                    break;
                }
            }
            int difference = difference(found, wanted, bit);
            if (difference == 0) {
                bit++;
                continue;
            }
            int end = bit + 1;
            while (end < count && difference(found, wanted, end) == difference) {
                end++;
            }
            if (shown++ < MOST_RUNS) {
                runs.append(' ').append(difference > 0 ? '+' : '-').append(run(first + bit, first + end - 1));
            }
            bit = end;
        }
        if (shown > 0) {
            String more = shown > MOST_RUNS ? " and " + (shown - MOST_RUNS) + " more" : "";
            report.problem("%s: %s%s (group %d)", what, runs, more, group);
        }
    }

    private static int difference(byte[] found, byte[] wanted, int bit) {
        return (wanted[bit >>> 3] >>> (bit & 7) & 1) - (found[bit >>> 3] >>> (bit & 7) & 1);
    }

    private static String run(long from, long to) {
        return from == to ? Long.toString(from) : "(" + from + "--" + to + ")";
    }
}
