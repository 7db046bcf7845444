// SPDX-License-Identifier: Apache-2.0
package ext4.mount.kept;

import ext4.api.fs.PinnedInodes;
import ext4.api.keep.Kept;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What a process says of itself that gives a mount up in order. */
public final class Suspended {
    private static final String SINCE = "suspended.nanos";
    private static final String CLEAN = "was.clean";
    private static final String PROCESS = "suspended.process";

    private Suspended() {}

    /**
     * In words.
     *
     * @param since when callers began to wait, by System.nanoTime, which is one clock for all processes of a Linux host
     * @param pins of the frozen core
     */
    public static Map<String, String> words(long since, PinnedInodes pins) {
        return Map.of(
                SINCE, Long.toString(since),
                CLEAN, Boolean.toString(pins.wasClean()),
                PROCESS, Long.toString(ProcessHandle.current().pid()));
    }

    /** Passes on what only the frozen core knew. */
    public static void wasClean(Map<String, String> words, PinnedInodes pins) {
        pins.frozen(Boolean.parseBoolean(words.get(CLEAN)), 0, 0);
    }

    /** How this process came to serve what was left, for people. */
    public static String told(Kept left, PinnedInodes pins) {
        String known = pins.size() + " known nodes";
        String since = left.words().get(SINCE);
        if (left.connection().resend() || since == null) {
            return "after the process before had died, " + known;
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - Long.parseLong(since));
        return "pause " + millis + " ms, in order after process " + left.words().get(PROCESS) + ", " + known;
    }
}
