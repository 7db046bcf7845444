// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Pin counts against a map of the library. */
class PinsTest {
    private final long seed = Long.getLong("ext4.test.seed", System.nanoTime());

    @Test
    void countsAreThoseOfAMap() {
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Pins pins = new Pins();
        Map<Integer, Integer> model = new HashMap<>();
        for (int step = 0; step < 300_000; step++) {
            int ino = 1 + random.nextInt(20_000) * (random.nextBoolean() ? 1 : 100_003);
            int left = model.getOrDefault(ino, 0);
            if (random.nextInt(5) < (step < 150_000 ? 3 : 1)) {
                pins.add(ino);
                model.put(ino, left + 1);
            } else if (left > 0) {
                int count = 1 + random.nextInt(left);
                assertThat(pins.remove(ino, count)).isFalse();
                model.merge(ino, -count, Integer::sum);
            }
        }
        model.values().removeIf(count -> count == 0);
        model.forEach(
                (ino, count) -> assertThat(pins.count(ino)).as("seed %d", seed).isEqualTo(count));
        assertThat(pins.size()).isEqualTo(model.size());
        Map<Integer, Integer> seen = new HashMap<>();
        pins.forEach((ino, count, unlinked) -> seen.put(ino, count));
        assertThat(seen).isEqualTo(model);
    }

    @Test
    void theLastPinOfAnUnlinkedInodeIsTold() {
        Pins pins = new Pins();
        pins.add(12);
        pins.add(12);
        assertThat(pins.unlinked(12)).isFalse();
        assertThat(pins.remove(12, 1)).isFalse();
        assertThat(pins.isUnlinked(12)).isTrue();
        assertThat(pins.remove(12, 1)).isTrue();
        assertThat(pins.remove(12, 1)).as("told once").isFalse();
        pins.linked(12);
        assertThat(pins.size()).isZero();
        assertThat(pins.unlinked(13)).as("never pinned").isTrue();
    }

    @Test
    void aNameGivenAgainKeepsTheInode() {
        Pins pins = new Pins();
        pins.add(12);
        pins.unlinked(12);
        pins.linked(12);
        assertThat(pins.remove(12, 5)).isFalse();
        assertThat(pins.size()).isZero();
    }
}
