// SPDX-License-Identifier: Apache-2.0
package ext4.mount.swap;

import java.util.function.Predicate;

/**
 * Which service wins. A named one always wins over ranking; ranking decides when none is named, or between two of one
 * name. A named one that is not there is missing: nothing takes its place but the fallback that the operator named.
 * Strategies alone have a fallback.
 *
 * @param named the name in the configuration, or null
 * @param fallback the name to use while {@code named} is not there, or null
 */
public record Precedence(String named, String fallback) {
    /** None is named. */
    public static final Precedence RANKING = new Precedence(null, null);

    /**
     * The one to use, or null if it is missing.
     *
     * @param allowed leaves out those that refused
     */
    public <T> Candidate<T> choose(Candidates<T> candidates, Predicate<Candidate<T>> allowed) {
        if (named == null) {
            return candidates.best(allowed);
        }
        Candidate<T> exact = candidates.best(allowed.and(c -> named.equals(c.name())));
        if (exact != null || fallback == null) {
            return exact;
        }
        return candidates.best(allowed.and(c -> fallback.equals(c.name())));
    }

    /**
     * What is looked for, in words.
     *
     * @param what what the part is called
     */
    public String wanted(String what) {
        if (named == null) {
            return "any " + what;
        }
        return what + " '" + named + "'" + (fallback == null ? "" : " (or its fallback '" + fallback + "')");
    }
}
