// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Leaves out the changes without which a finding is found as well. */
final class Minimiser {
    private final Function<List<Mutation>, List<Finding>> trial;

    /** @param trial what is found with these changes */
    Minimiser(Function<List<Mutation>, List<Finding>> trial) {
        this.trial = trial;
    }

    /** The fewest changes, one left out at a time, that still show {@code finding}. */
    List<Mutation> minimise(List<Mutation> mutations, Finding finding) {
        List<Mutation> needed = new ArrayList<>(mutations);
        for (int i = needed.size() - 1; i >= 0 && needed.size() > 1; i--) {
            List<Mutation> fewer = new ArrayList<>(needed);
            fewer.remove(i);
            if (trial.apply(fewer).stream().anyMatch(finding::isLike)) {
                needed = fewer;
            }
        }
        return needed;
    }
}
