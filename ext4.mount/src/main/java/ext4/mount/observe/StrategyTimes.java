// SPDX-License-Identifier: Apache-2.0
package ext4.mount.observe;

import ext4.api.orphan.OrphanStrategy;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** The figures of one mount's orphan strategies, by name. Any thread. */
public final class StrategyTimes {
    private final Map<String, ListTimes> byName = new ConcurrentSkipListMap<>();

    /** The strategy, with every list that it makes observed from now on under {@code name}. */
    public OrphanStrategy observed(String name, OrphanStrategy strategy) {
        return (store, present) -> new ObservedList(
                strategy.attach(store, present), byName.computeIfAbsent(name, unknown -> new ListTimes()));
    }

    /** Adds what people are told, a few lines a strategy that was at work. */
    public void lines(Map<String, String> lines) {
        byName.forEach((name, times) -> times.lines(name, lines));
    }
}
