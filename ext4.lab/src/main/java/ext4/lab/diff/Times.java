// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.lab.diff.Status.Time;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether the times of both sides were last set by the same steps. They can't be equal: each side has its own now. A time
 * that a step gave must be.
 *
 * <p>Right after a step the kernel's change and modification times are exact to the step, since it takes a finer clock for
 * a time that somebody has looked at; its other times are those of its last tick.
 */
final class Times {
    private static final long TICK_NANOS = 20_000_000;
    private static final long NANOS = 1_000_000_000;
    /** A time that is further away than a run lasts was given. */
    private static final long GIVEN_SECONDS = 7 * 24 * 3600;

    private static final String FIRST = "looked at for the first time";

    private final boolean nanos;
    private final Map<Long, Time[]> kernelSeen = new HashMap<>();
    private final Map<Long, Time[]> oursSeen = new HashMap<>();
    private final List<long[]> steps = new ArrayList<>();

    /** @param nanos false if the inodes have room for seconds only */
    Times(boolean nanos) {
        this.nanos = nanos;
    }

    static long now() {
        Instant now = Instant.now();
        return now.getEpochSecond() * NANOS + now.getNano();
    }

    /** A step was done from when to when on either side. */
    void step(long kernelStart, long kernelEnd, long oursStart, long oursEnd) {
        steps.add(new long[] {kernelStart, kernelEnd, oursStart, oursEnd});
    }

    /** The images were swapped: nothing of before can be compared. */
    void clear() {
        steps.clear();
        kernelSeen.clear();
        oursSeen.clear();
    }

    /** These inodes are new: the numbers may be those of what is gone. */
    void isNew(Status kernel, Status ours) {
        kernelSeen.remove(kernel.ino());
        oursSeen.remove(ours.ino());
    }

    /** Right after a step: which of the times moved since they were looked at last. */
    String[] moved(Status kernel, Status ours) {
        String[] moved = {moved(kernelSeen, kernel), moved(oursSeen, ours)};
        // one side may take the number of what is gone for what is new
        boolean known = !FIRST.equals(moved[0]) && !FIRST.equals(moved[1]);
        return nanos && known ? moved : new String[] {"", ""};
    }

    private static String moved(Map<Long, Time[]> seen, Status s) {
        Time[] before = seen.put(s.ino(), new Time[] {s.mtime(), s.ctime()});
        if (before == null) {
            return FIRST;
        }
        String moved = (before[0].equals(s.mtime()) ? "" : "mtime ") + (before[1].equals(s.ctime()) ? "" : "ctime ");
        return "changed: " + moved;
    }

    /** Whether both times may come from the same step, or from before the first. */
    boolean agree(Time kernel, Time ours) {
        if (kernel.equals(ours)) {
            return true;
        }
        long now = now() / NANOS;
        if (Math.abs(kernel.seconds() - now) > GIVEN_SECONDS || Math.abs(ours.seconds() - now) > GIVEN_SECONDS) {
            return false;
        }
        if (steps.isEmpty()) {
            return true;
        }
        long k = kernel.seconds() * NANOS + kernel.nanos();
        long o = ours.seconds() * NANOS + ours.nanos();
        long grain = nanos ? 0 : NANOS;
        boolean bothMayBeBefore = o < steps.getFirst()[2] && k <= steps.getFirst()[0];
        if (bothMayBeBefore || o + grain < steps.getFirst()[2]) {
            return bothMayBeBefore;
        }
        for (long[] step : steps) {
            if (o + grain >= step[2] && o <= step[3] && k + grain >= step[0] - TICK_NANOS && k <= step[1]) {
                return true;
            }
        }
        return o > steps.getLast()[3] && k + grain + TICK_NANOS >= steps.getLast()[1];
    }

    /** Access times: the kernel's tick may make it miss or repeat one, so they agree to the hundred. */
    boolean agreeOnAccess(Time kernel, Time ours) {
        if (kernel.equals(ours)) {
            return true;
        }
        long now = now() / NANOS;
        boolean given =
                Math.abs(kernel.seconds() - now) > GIVEN_SECONDS || Math.abs(ours.seconds() - now) > GIVEN_SECONDS;
        if (given || steps.isEmpty() || !nanos) {
            return !given;
        }
        long k = kernel.seconds() * NANOS + kernel.nanos();
        long o = ours.seconds() * NANOS + ours.nanos();
        long grain = nanos ? 0 : NANOS;
        boolean kernelBefore = k <= steps.getFirst()[0] + grain;
        boolean kernelWithin = k + grain + TICK_NANOS >= steps.getFirst()[0];
        return o + grain < steps.getFirst()[2] ? kernelBefore : kernelWithin;
    }
}
