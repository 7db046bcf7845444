// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.load;

import ext4.lab.crash.image.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * All workloads in a seeded order, without an end: rounds of all sequences of one and two operations, each round with other
 * parts and another kind of filesystem for each sequence, so that a round tries every sequence and as many rounds as there
 * are combinations try each with all. Among them, longer mixes, and what comes before the sequences.
 */
public final class Plans {
    private static final int MIX_EACH = 12;
    private static final int END_EACH = 4;

    /** Steps of a mix after which the log has been filled more than once. */
    private static final int LONG_OPERATIONS = 150;

    private final List<List<Step>> sequences = new ArrayList<>();
    private final List<Integer> order = new ArrayList<>();
    private final long seed;
    private final int combinations = Mode.values().length * Kind.values().length;

    public Plans(long seed) {
        this.seed = seed;
        List<Step> steps = Step.all();
        for (Step first : steps) {
            sequences.add(List.of(first));
        }
        for (Step first : steps) {
            for (Step second : steps) {
                sequences.add(List.of(first, second));
            }
        }
        for (int i = 0; i < sequences.size(); i++) {
            order.add(i);
        }
        Collections.shuffle(order, new Random(seed));
    }

    /** Sequences of one and two operations. */
    public int sequences() {
        return sequences.size();
    }

    /** Workloads of one round. */
    public int round() {
        return sequences.size() * MIX_EACH / (MIX_EACH - 1);
    }

    /** The workload of that number, from 0 on. */
    public Plan at(int number) {
        int mix = number / MIX_EACH;
        if (number % MIX_EACH == 0) {
            Kind kind = Kind.values()[(int) Math.floorMod(mix + mix / 24 + seed, Kind.values().length)];
            Mode mode = Mode.values()[(int) Math.floorMod(mix + seed, Mode.values().length)];
            int operations = switch (mix % 8) {
                case 7 -> 0; // what comes before the sequences
                case 2, 5 -> LONG_OPERATIONS;
                default -> Plan.MIXED_EXPLORED;
            };
            return new Plan(number, kind, mode, List.of(), operations, seed * 1_000_003 + mix, true);
        }
        int bounded = number - mix - 1;
        int round = bounded / order.size();
        int sequence = order.get(bounded % order.size());
        int combination = (int) Math.floorMod(sequence * 7L + round * 5L + seed, combinations);
        return new Plan(
                number,
                Kind.values()[combination / Mode.values().length],
                Mode.values()[combination % Mode.values().length],
                sequences.get(sequence),
                0,
                0,
                (sequence + round) % END_EACH == 0);
    }

    /** How many different sequences of one and two operations are among the first workloads. */
    public int tried(int numbers) {
        int mixes = (numbers + MIX_EACH - 1) / MIX_EACH;
        return Math.min(numbers - mixes, sequences.size());
    }
}
