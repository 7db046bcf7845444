// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What goes wrong, told at once with the swap that was under way. Thread-safe. */
final class Ledger {
    /** Lines of each kind that are printed in full. */
    private static final int TOLD = 40;

    private final PrintStream out;
    private final long began = System.nanoTime();
    /** Guarded by this. */
    private long failed;
    /** Guarded by this. */
    private long differing;
    /** The swap under way or the latest one, null before the first. Guarded by this. */
    private String swap;
    /** When it began or, if it has ended, when that was. Guarded by this. */
    private long swapNanos;
    /** Guarded by this. */
    private boolean swapping;
    /** Calls that took long. Guarded by this. */
    private final List<SlowCall> slow = new ArrayList<>();

    /** A call of the probe that lasted from one time to the other, of {@link System#nanoTime}. */
    record SlowCall(String call, long begin, long end) {}

    Ledger(PrintStream out) {
        this.out = out;
    }

    synchronized void say(String line) {
        out.println(line);
        out.flush();
    }

    synchronized void swapBegins(String what) {
        swap = what;
        swapNanos = System.nanoTime();
        swapping = true;
    }

    synchronized void swapEnded() {
        swapNanos = System.nanoTime();
        swapping = false;
    }

    synchronized void failed(String load, String call, String path, String got, String expected) {
        if (++failed <= TOLD) {
            say(String.format(
                    Locale.ROOT,
                    "FAILED CALL at %.1f s, load %s: %s of %s gave %s, expected %s; %s",
                    seconds(began),
                    load,
                    call,
                    path,
                    got,
                    expected,
                    swapText()));
        }
    }

    synchronized void differs(String load, String path, String expected, String actual) {
        if (++differing <= TOLD) {
            say(String.format(
                    Locale.ROOT,
                    "DIFFERING FILE at %.1f s, load %s: %s%n    is       %s%n    expected %s%n    %s",
                    seconds(began),
                    load,
                    path,
                    actual,
                    expected,
                    swapText()));
        }
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    private String swapText() {
        if (swap == null) {
            return "no swap was made yet";
        }
        return String.format(
                Locale.ROOT,
                swapping ? "%s was under way since %.3f s" : "%s had ended %.3f s before",
                swap,
                seconds(swapNanos));
    }

    synchronized void slow(SlowCall call) {
        slow.add(call);
    }

    /** The longest call that was under way some time between the two, in nanoseconds; 0 if none was long. */
    synchronized long longest(long begin, long end) {
        long longest = 0;
        for (SlowCall call : slow) {
            if (call.begin() <= end && call.end() >= begin) {
                longest = Math.max(longest, call.end() - call.begin());
            }
        }
        return longest;
    }

    synchronized long failed() {
        return failed;
    }

    synchronized long differing() {
        return differing;
    }
}
