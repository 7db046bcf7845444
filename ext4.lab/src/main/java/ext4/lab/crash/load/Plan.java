// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.load;

import ext4.lab.crash.image.Kind;
import java.util.List;

/**
 * A workload.
 *
 * @param number by which it is found again
 * @param kind the filesystem it works on
 * @param mode the parts that work
 * @param steps of a bounded sequence; none for a mix
 * @param mixed steps of a mix, of which the last {@link #MIXED_EXPLORED} are explored
 * @param seed of a mix
 * @param end whether the unmount is explored too
 */
public record Plan(int number, Kind kind, Mode mode, List<Step> steps, int mixed, long seed, boolean end) {
    /** Steps of a mix that are explored. */
    static final int MIXED_EXPLORED = 24;

    @Override
    public String toString() {
        return "workload " + number + " (" + kind + ", " + mode + ", "
                + (mixed > 0 ? mixed + " mixed operations" : steps.isEmpty() ? "the ground" : steps)
                + (end ? ", unmount" : "") + ")";
    }
}
