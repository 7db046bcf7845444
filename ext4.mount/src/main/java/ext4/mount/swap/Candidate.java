// SPDX-License-Identifier: Apache-2.0
package ext4.mount.swap;

import java.util.Comparator;
import java.util.function.Supplier;

/**
 * A service that could be a part of a mount.
 *
 * @param key its registration, compared by identity of the service: equal for the same registration only
 * @param name what an operator calls it, from its service properties; may be null
 * @param ranking service.ranking
 * @param id service.id
 * @param service the service
 * @param origin the bundle that offers it and, if that doesn't run, why, as far as it is known: asked when it is gone
 */
public record Candidate<T>(Object key, String name, int ranking, long id, T service, Supplier<String> origin) {
    /** The order of services: higher ranking first, among equals the older one. */
    static final Comparator<Candidate<?>> BEST_FIRST = (a, b) ->
            a.ranking() != b.ranking() ? Integer.compare(b.ranking(), a.ranking()) : Long.compare(a.id(), b.id());

    /** Of a bundle that nothing is known of. */
    public Candidate(Object key, String name, int ranking, long id, T service) {
        this(key, name, ranking, id, service, () -> "its bundle");
    }

    boolean sameAs(Candidate<T> other) {
        return other != null && key.equals(other.key());
    }

    /** What to call it, whether it has a name or not. */
    public String title() {
        return name == null ? "without a name" : name;
    }
}
