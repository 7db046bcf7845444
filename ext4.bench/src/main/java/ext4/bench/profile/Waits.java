// SPDX-License-Identifier: Apache-2.0
package ext4.bench.profile;

import ext4.bench.measure.Spread;
import ext4.bench.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/** Every place where a thread waited for a monitor, was parked or waited to be notified, and where time was spent. */
public final class Waits {
    /** Threads of the load are named so. */
    private static final String TASK = "task";

    private static final String OWN = "ext4.";
    private static final String BENCH = "ext4.bench.";
    private static final int TOP_SAMPLES = 15;

    /**
     * Where waits happen.
     *
     * @param thread its name without numbers
     * @param event monitor enter, monitor wait or park
     * @param lock class of what was waited for
     * @param place the innermost method of this project's parts and its line
     */
    public record Site(String thread, String event, String lock, String place) {}

    /** How often and how long. */
    private static final class Sum {
        private long count;
        private long nanos;
    }

    private final Map<Site, Sum> sites = new HashMap<>();
    private final Map<String, Long> samples = new HashMap<>();

    private Waits() {}

    /** Reads a recording. */
    public static Waits read(Path recording) throws IOException {
        Waits waits = new Waits();
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                waits.take(file.readEvent());
            }
        }
        return waits;
    }

    private void take(RecordedEvent event) {
        switch (event.getEventType().getName()) {
            case "jdk.JavaMonitorEnter" -> wait(event, "monitor enter", "monitorClass");
            case "jdk.JavaMonitorWait" -> wait(event, "monitor wait", "monitorClass");
            case "jdk.ThreadPark" -> wait(event, "park", "parkedClass");
            case "jdk.ExecutionSample" -> {
                if (thread(event.getThread("sampledThread")).equals(TASK)) {
                    samples.merge(place(event, false), 1L, Long::sum);
                }
            }
            default -> {} // of the recording itself
        }
    }

    private void wait(RecordedEvent event, String kind, String lockField) {
        RecordedClass lock = event.getClass(lockField);
        Site site = new Site(
                thread(event.getThread()), kind, lock == null ? "-" : shortName(lock.getName()), place(event, true));
        Sum sum = sites.computeIfAbsent(site, key -> new Sum());
        sum.count++;
        sum.nanos += event.getDuration().toNanos();
    }

    /** How often a task waited at a place whose name contains {@code part}. */
    public long ofTasksAt(String part) {
        return sites.entrySet().stream()
                .filter(entry -> entry.getKey().thread().equals(TASK))
                .filter(entry -> entry.getKey().place().contains(part))
                .mapToLong(entry -> entry.getValue().count)
                .sum();
    }

    /** All places as a table: those of tasks first, the longest waits first. */
    public String sites() {
        Table table = new Table("place", "thread", "event", "lock", "times", "ms");
        Comparator<Map.Entry<Site, Sum>> order =
                Comparator.comparing(entry -> !entry.getKey().thread().equals(TASK));
        sites.entrySet().stream()
                .sorted(order.thenComparing(entry -> -entry.getValue().nanos))
                .forEach(entry -> table.row(
                        entry.getKey().place(),
                        entry.getKey().thread(),
                        entry.getKey().event(),
                        entry.getKey().lock(),
                        Long.toString(entry.getValue().count),
                        Spread.number(entry.getValue().nanos / 1e6)));
        return table.text();
    }

    /** Where tasks spent their time: the methods that were seen most often. */
    public String samples() {
        long all = samples.values().stream().mapToLong(Long::longValue).sum();
        Table table = new Table("time of tasks, " + all + " samples", "share");
        List<Map.Entry<String, Long>> top = samples.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(TOP_SAMPLES)
                .collect(Collectors.toList());
        top.forEach(entry -> table.row(entry.getKey(), Spread.number(100.0 * entry.getValue() / all) + " %"));
        return table.text();
    }

    private static String thread(RecordedThread thread) {
        String name = thread == null || thread.getJavaName() == null ? "?" : thread.getJavaName();
        return name.replaceFirst("[- ]?[0-9].*$", "");
    }

    /** The innermost frame of this project's parts, else of the bench, else of all. */
    private static String place(RecordedEvent event, boolean withLine) {
        if (event.getStackTrace() == null || event.getStackTrace().getFrames().isEmpty()) {
            return "-";
        }
        List<RecordedFrame> frames = event.getStackTrace().getFrames();
        RecordedFrame found = frames.stream()
                .filter(frame -> type(frame).startsWith(OWN) && !type(frame).startsWith(BENCH))
                .findFirst()
                .or(() -> frames.stream()
                        .filter(frame -> type(frame).startsWith(BENCH))
                        .findFirst())
                .orElse(frames.getFirst());
        RecordedMethod method = found.getMethod();
        String name = type(found) + "." + method.getName();
        return withLine ? name + ":" + found.getLineNumber() : name;
    }

    private static String type(RecordedFrame frame) {
        return frame.getMethod().getType().getName();
    }

    private static String shortName(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }
}
