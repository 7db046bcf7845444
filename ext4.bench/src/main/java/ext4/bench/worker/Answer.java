// SPDX-License-Identifier: Apache-2.0
package ext4.bench.worker;

import ext4.bench.load.Outcome;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A run's outcome as a worker's answer.
 *
 * @param name the phase
 * @param outcome what it did
 * @param cpu nanoseconds of processor time that the worker's process took meanwhile
 */
public record Answer(String name, Outcome outcome, long cpu) {
    private static final int FIELDS = 5;

    String line() {
        return String.join(
                " ",
                name,
                list(outcome.operations()),
                list(outcome.ends()),
                Long.toString(outcome.settled()),
                Long.toString(cpu));
    }

    /** The outcome that a worker answered with. */
    public static Answer parse(String line) {
        String[] words = line.split(" ");
        if (words.length != FIELDS) {
            throw new IllegalArgumentException("a worker answered '" + line + "'");
        }
        Outcome outcome = new Outcome(longs(words[1]), longs(words[2]), Long.parseLong(words[3]));
        return new Answer(words[0], outcome, Long.parseLong(words[4]));
    }

    private static String list(long[] values) {
        return Arrays.stream(values).mapToObj(Long::toString).collect(Collectors.joining(","));
    }

    private static long[] longs(String text) {
        return Arrays.stream(text.split(",")).mapToLong(Long::parseLong).toArray();
    }
}
