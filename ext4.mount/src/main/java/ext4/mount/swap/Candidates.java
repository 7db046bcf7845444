// SPDX-License-Identifier: Apache-2.0
package ext4.mount.swap;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** The services of one kind that are there now. Any thread. */
public final class Candidates<T> {
    /** Best first. Guarded by this. */
    private final List<Candidate<T>> present = new ArrayList<>();

    /** Adds a service, or replaces what is known of it. */
    public synchronized void put(Candidate<T> candidate) {
        present.removeIf(candidate::sameAs);
        present.add(candidate);
        present.sort(Candidate.BEST_FIRST);
    }

    /** Forgets a service. */
    public synchronized void remove(Object key) {
        present.removeIf(candidate -> candidate.key().equals(key));
    }

    /** All of them, best first. */
    public synchronized List<Candidate<T>> list() {
        return List.copyOf(present);
    }

    /** Whether that service is there. */
    public synchronized boolean contains(Candidate<T> candidate) {
        return candidate != null && present.stream().anyMatch(candidate::sameAs);
    }

    /** Whether a service of that registration is there. */
    public synchronized boolean containsKey(Object key) {
        return present.stream().anyMatch(candidate -> candidate.key().equals(key));
    }

    /** The best one that matches, or null. */
    public synchronized Candidate<T> best(Predicate<Candidate<T>> matches) {
        return present.stream().filter(matches).findFirst().orElse(null);
    }

    /** Their names, each once, sorted. */
    public synchronized List<String> names() {
        return present.stream()
                .map(Candidate::name)
                .filter(Objects::nonNull)
                .distinct()
                .sorted()
                .toList();
    }
}
