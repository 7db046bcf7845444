// SPDX-License-Identifier: Apache-2.0
package ext4.bench.measure;

import java.util.Arrays;
import java.util.Locale;

/**
 * Smallest, middle and largest of several values.
 *
 * @param min the smallest
 * @param median the middle one, or the mean of the two in the middle
 * @param max the largest
 */
public record Spread(double min, double median, double max) {
    /** Of at least one value. */
    public static Spread of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no values");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(sorted[0], median, sorted[sorted.length - 1]);
    }

    /** All three with three digits that matter. */
    public String text() {
        return number(min) + " / " + number(median) + " / " + number(max);
    }

    /** A number with about three digits that matter. */
    public static String number(double value) {
        double size = Math.abs(value);
        String format = size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, format, value);
    }
}
