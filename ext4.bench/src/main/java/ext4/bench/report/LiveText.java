// SPDX-License-Identifier: Apache-2.0
package ext4.bench.report;

import ext4.bench.load.LiveLoad;
import ext4.bench.load.LiveLoad.Course;
import ext4.bench.load.LiveLoad.Switch;
import ext4.bench.measure.Spread;
import java.util.Arrays;
import java.util.Locale;

/** A switch under load in words: each stretch with its strategy, each switch with its pause. */
public final class LiveText {
    private LiveText() {}

    /**
     * Lines with their ends.
     *
     * @param title what was measured
     * @param first the strategy of the beginning
     */
    public static String of(String title, String first, Course course) {
        Table table = new Table("strategy", "from s", "to s", "calls per ms, min / median / max of 50 ms");
        String strategy = first;
        int from = 0;
        for (Switch s : course.switches()) {
            int to = Math.min(course.calls().length, (int) (s.atMillis() / LiveLoad.BUCKET_MILLIS));
            stretch(table, strategy, course.calls(), from, to);
            strategy = s.report().replaceFirst("^\\S+ -> (\\S+):.*", "$1");
            from = to + 1; // the one in which it was switched belongs to neither
        }
        stretch(table, strategy, course.calls(), from, course.calls().length);
        StringBuilder text = new StringBuilder(title + "\n" + table.text());
        course.switches()
                .forEach(s ->
                        text.append(String.format(Locale.ROOT, "at %.2f s: %s%n", s.atMillis() / 1e3, s.report())));
        text.append("failed calls: ").append(course.failed());
        if (course.failed() > 0) {
            text.append(", the first: ").append(course.firstFailure());
        }
        return text.append("\n\n").toString();
    }

    private static void stretch(Table table, String strategy, long[] calls, int from, int to) {
        if (from >= to) {
            return;
        }
        double[] rates = Arrays.stream(calls, from, to)
                .mapToDouble(count -> (double) count / LiveLoad.BUCKET_MILLIS)
                .toArray();
        table.row(strategy, seconds(from), seconds(to), Spread.of(rates).text());
    }

    private static String seconds(int bucket) {
        return String.format(Locale.ROOT, "%.2f", bucket * LiveLoad.BUCKET_MILLIS / 1e3);
    }
}
