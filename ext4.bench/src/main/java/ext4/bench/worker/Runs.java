// SPDX-License-Identifier: Apache-2.0
package ext4.bench.worker;

import ext4.bench.load.FchownLoad;
import ext4.bench.load.Outcome;
import ext4.bench.load.Place;
import ext4.bench.load.TreeLoad;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Requests for runs: {@code fchown PLACE TASKS MILLIS}; {@code create}, {@code find}, {@code remove PLACE TASKS FILES}, in
 * this order.
 */
final class Runs {
    private final Map<String, TreeLoad> trees = new HashMap<>();

    void run(Place place, String[] words, Consumer<String> answer) throws InterruptedException {
        int tasks = Integer.parseInt(words[2]);
        int amount = Integer.parseInt(words[3]);
        switch (words[0]) {
            case "fchown" -> measured(words[0], () -> new FchownLoad().run(place, tasks, amount), answer);
            case "create" -> {
                TreeLoad tree = new TreeLoad(place, tasks, amount);
                trees.put(words[1], tree);
                measured(words[0], tree::create, answer);
            }
            case "find" -> measured(words[0], trees.get(words[1])::find, answer);
            case "remove" -> measured(words[0], trees.remove(words[1])::remove, answer);
            default -> throw new IllegalArgumentException("unknown request " + words[0]);
        }
    }

    @FunctionalInterface
    private interface Run {
        Outcome run() throws InterruptedException;
    }

    private static void measured(String name, Run run, Consumer<String> answer) throws InterruptedException {
        Duration before = cpu();
        Outcome outcome = run.run();
        answer.accept(new Answer(name, outcome, cpu().minus(before).toNanos()).line());
    }

    /** Processor time of this process. */
    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
