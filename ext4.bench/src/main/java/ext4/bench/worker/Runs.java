// SPDX-License-Identifier: Apache-2.0
package ext4.bench.worker;

import ext4.bench.load.FchownLoad;
import ext4.bench.load.Outcome;
import ext4.bench.load.Place;
import ext4.bench.load.TreeLoad;
import java.time.Duration;
import java.util.function.Consumer;

/** Requests for runs: {@code fchown PLACE TASKS MILLIS} and {@code tree PLACE TASKS FILES}. */
final class Runs {
    private final Consumer<String> answer;

    Runs(Consumer<String> answer) {
        this.answer = answer;
    }

    void run(Place place, String[] words) throws InterruptedException {
        int tasks = Integer.parseInt(words[2]);
        int amount = Integer.parseInt(words[3]);
        switch (words[0]) {
            case "fchown" -> measured("fchown", () -> new FchownLoad().run(place, tasks, amount));
            case "tree" -> {
                TreeLoad load = new TreeLoad(place, tasks, amount);
                measured("create", load::create);
                measured("find", load::find);
                measured("remove", load::remove);
            }
            default -> throw new IllegalArgumentException("unknown request " + words[0]);
        }
    }

    @FunctionalInterface
    private interface Run {
        Outcome run() throws InterruptedException;
    }

    private void measured(String name, Run run) throws InterruptedException {
        Duration before = cpu();
        Outcome outcome = run.run();
        answer.accept(new Answer(name, outcome, cpu().minus(before).toNanos()).line());
    }

    /** Processor time of this process. */
    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
