// SPDX-License-Identifier: Apache-2.0
package ext4.bench.measure;

import ext4.bench.subject.Label;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** All runs of one report in one journal mode. */
public final class Samples {
    private final List<Sample> all = new ArrayList<>();

    /** Adds a run. */
    public void add(Sample sample) {
        all.add(sample);
    }

    /** Every run in the order it was made. */
    public List<Sample> all() {
        return List.copyOf(all);
    }

    /** Subjects in the order they were first measured. */
    public List<Label> labels() {
        return all.stream().map(Sample::label).distinct().toList();
    }

    /** Places of this project's filesystem. */
    public List<String> ownPlaces() {
        return labels().stream().filter(Label::own).map(Label::place).distinct().toList();
    }

    /** Numbers of tasks, ascending. */
    public List<Integer> taskCounts() {
        return all.stream().map(Sample::tasks).distinct().sorted().toList();
    }

    /** Phases in the order they were first made. */
    public List<String> phases() {
        return all.stream().map(Sample::phase).distinct().toList();
    }

    /** Runs of one kind, by round. */
    public List<Sample> of(Label label, String phase, int tasks) {
        return all.stream()
                .filter(s -> s.label().equals(label) && s.phase().equals(phase) && s.tasks() == tasks)
                .toList();
    }

    /** A value over the rounds; empty if there was no such run. */
    public Optional<Spread> spread(Label label, String phase, int tasks, ToDoubleFunction<Sample> value) {
        double[] values = of(label, phase, tasks).stream().mapToDouble(value).toArray();
        return values.length == 0 ? Optional.empty() : Optional.of(Spread.of(values));
    }

    /** The median over the rounds as text, a dash if there was no such run. */
    public String median(Label label, String phase, int tasks, ToDoubleFunction<Sample> value) {
        return spread(label, phase, tasks, value)
                .map(spread -> Spread.number(spread.median()))
                .orElse("-");
    }

    /** Throughput of one over another's, round by round; empty if they have no round in common. */
    public Optional<Spread> ratio(Label one, int oneTasks, Label other, int otherTasks, String phase) {
        Map<Integer, Double> others = new HashMap<>();
        of(other, phase, otherTasks).forEach(s -> others.put(s.round(), s.perMilli()));
        double[] ratios = of(one, phase, oneTasks).stream()
                .filter(s -> others.containsKey(s.round()))
                .mapToDouble(s -> s.perMilli() / others.get(s.round()))
                .toArray();
        return ratios.length == 0 ? Optional.empty() : Optional.of(Spread.of(ratios));
    }
}
