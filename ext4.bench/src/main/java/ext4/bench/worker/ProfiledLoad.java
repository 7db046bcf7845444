// SPDX-License-Identifier: Apache-2.0
package ext4.bench.worker;

import ext4.bench.load.MixLoad;
import ext4.bench.load.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import jdk.jfr.Recording;

/** Records every wait of a load, however short: {@code profile FILE TASKS MILLIS}. */
final class ProfiledLoad {
    private static final List<String> WAITS = List.of("jdk.JavaMonitorEnter", "jdk.JavaMonitorWait", "jdk.ThreadPark");
    private static final int WARMUP_MILLIS = 1000;

    private final Place place;

    ProfiledLoad(Place place) {
        this.place = place;
    }

    /** Answers with the number of files that were made and removed. */
    void record(String[] words, Consumer<String> answer) throws InterruptedException {
        int tasks = Integer.parseInt(words[2]);
        int millis = Integer.parseInt(words[3]);
        MixLoad.run(place, tasks, Math.min(millis, WARMUP_MILLIS));
        try (Recording recording = new Recording()) {
            WAITS.forEach(event ->
                    recording.enable(event).withThreshold(Duration.ZERO).withStackTrace());
            recording
                    .enable("jdk.ExecutionSample")
                    .withPeriod(Duration.ofMillis(10))
                    .withStackTrace();
            recording.start();
            long[] files = MixLoad.run(place, tasks, millis);
            recording.stop();
            recording.dump(Path.of(words[1]));
            answer.accept(Long.toString(Arrays.stream(files).sum()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
