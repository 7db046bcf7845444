// SPDX-License-Identifier: Apache-2.0
package ext4.mount.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanStrategy;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** What is told of a strategy is what was done with its list. */
class StrategyTimesTest {
    private final StrategyTimes times = new StrategyTimes();
    private final List<String> calls = new ArrayList<>();
    private LongConsumer waits;

    @Test
    void nothingIsToldOfAStrategyThatWasNeverAtWork() {
        times.observed("idle", strategy()).attach(null, List.of());
        assertThat(lines()).isEmpty();
    }

    @Test
    void callsReachTheListAndAreCountedTimedAndWeighed() throws InterruptedException {
        OrphanList list = times.observed("busy", strategy()).attach(null, List.of());
        for (int i = 0; i < 10 * ListTimes.SAMPLE; i++) {
            list.add(null, i);
        }
        waits.accept(5_000);
        Thread other = new Thread(() -> {
            for (int i = 0; i < 10 * ListTimes.SAMPLE; i++) {
                list.remove(null, i);
            }
        });
        other.start();
        other.join();
        assertThat(calls).hasSize(20 * ListTimes.SAMPLE);
        assertThat(lines())
                .containsEntry("orphan fairness of busy", "1.000 over 2 threads")
                .hasEntrySatisfying(
                        "orphan calls of busy", text -> assertThat(text).startsWith("320,"))
                .hasEntrySatisfying(
                        "orphan add of busy", text -> assertThat(text).startsWith("10,"))
                .hasEntrySatisfying(
                        "orphan remove of busy", text -> assertThat(text).startsWith("10,"))
                .hasEntrySatisfying(
                        "orphan wait of busy", text -> assertThat(text).startsWith("1, us median 5.0"));
    }

    @Test
    void aSwitchAndBackGoesOnWithTheSameFigures() {
        for (int round = 0; round < 3; round++) {
            OrphanList list = times.observed("one", strategy()).attach(null, List.of());
            for (int i = 0; i < ListTimes.SAMPLE; i++) {
                list.add(null, i);
            }
            list.detach();
        }
        assertThat(lines().get("orphan add of one")).startsWith("3,");
    }

    @Test
    void oneOfTwoThreadsThatDoesMoreIsSeen() throws InterruptedException {
        OrphanList list = times.observed("unfair", strategy()).attach(null, List.of());
        for (int i = 0; i < 900; i++) {
            list.add(null, i);
        }
        Thread other = new Thread(() -> list.add(null, 1));
        other.start();
        other.join();
        assertThat(lines()).containsEntry("orphan fairness of unfair", "0.501 over 2 threads");
    }

    @Test
    void aStrategyThatMakesNoListIsRefused() {
        OrphanStrategy none = times.observed("none", (store, present) -> null);
        assertThatThrownBy(() -> none.attach(null, List.of())).hasMessage("the strategy made no list");
    }

    private Map<String, String> lines() {
        Map<String, String> lines = new LinkedHashMap<>();
        times.lines(lines);
        return lines;
    }

    private OrphanStrategy strategy() {
        return (store, present) -> (OrphanList) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OrphanList.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("waits")) {
                        waits = (LongConsumer) arguments[0];
                    } else if (!method.getName().equals("detach")) {
                        calls.add(method.getName());
                    }
                    return null;
                });
    }
}
