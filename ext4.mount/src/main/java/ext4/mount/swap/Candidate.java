// SPDX-License-Identifier: Apache-2.0
package ext4.mount.swap;

import java.util.Comparator;

/**
 * A service that could be a part of a mount.
 *
 * @param key its registration, compared by identity of the service: equal for the same registration only
 * @param name what an operator calls it, from its service properties; may be null
 * @param ranking service.ranking
 * @param id service.id
 * @param service the service
 */
public record Candidate<T>(Object key, String name, int ranking, long id, T service) {
    /** The order of services: higher ranking first, among equals the older one. */
    static final Comparator<Candidate<?>> BEST_FIRST = (a, b) ->
            a.ranking() != b.ranking() ? Integer.compare(b.ranking(), a.ranking()) : Long.compare(a.id(), b.id());

    boolean sameAs(Candidate<T> other) {
        return other != null && key.equals(other.key());
    }
}
