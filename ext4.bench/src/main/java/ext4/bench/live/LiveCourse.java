// SPDX-License-Identifier: Apache-2.0
package ext4.bench.live;

import ext4.bench.load.LiveLoad.Course;
import ext4.bench.load.LiveLoad.Switch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A course as a worker's answer. */
public final class LiveCourse {
    private LiveCourse() {}

    /** Says it in lines. */
    public static void tell(Course course, Consumer<String> lines) {
        lines.accept("calls "
                + Arrays.stream(course.calls()).mapToObj(Long::toString).collect(Collectors.joining(",")));
        course.switches().forEach(s -> lines.accept("switch " + s.atMillis() + " " + s.report()));
        lines.accept("failed " + course.failed() + " " + course.firstFailure());
    }

    /** Reads what {@link #tell} said. */
    public static Course parse(List<String> lines) {
        long[] calls = {};
        List<Switch> switches = new ArrayList<>();
        long failed = 0;
        String failure = null;
        for (String line : lines) {
            String[] words = line.split(" ", 3);
            switch (words[0]) {
                case "calls" ->
                    calls = Arrays.stream(words[1].split(","))
                            .mapToLong(Long::parseLong)
                            .toArray();
                case "switch" -> switches.add(new Switch(Long.parseLong(words[1]), words[2]));
                case "failed" -> {
                    failed = Long.parseLong(words[1]);
                    failure = failed == 0 ? null : words[2];
                }
                default -> throw new IllegalArgumentException("a worker answered '" + line + "'");
            }
        }
        return new Course(calls, switches, failed, failure);
    }
}
