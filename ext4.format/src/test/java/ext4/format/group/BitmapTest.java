// SPDX-License-Identifier: Apache-2.0
package ext4.format.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BitmapTest {
    private static final int BITS = 1024;

    @Test
    void agreesWithASetOfBits() {
        long randomSeed = new Random().nextLong();
        Random random = new Random(randomSeed);
        byte[] b = new byte[BITS / 8];
        BitSet model = new BitSet(BITS);
        for (int round = 0; round < 5000; round++) {
            String where = "random seed " + randomSeed + " round " + round;
            int from = random.nextInt(BITS);
            int count = random.nextInt(Math.min(BITS - from, 1 + random.nextInt(200)) + 1);
            switch (random.nextInt(4)) {
                case 0 -> {
                    Bitmap.set(b, from, count);
                    model.set(from, from + count);
                }
                case 1 -> {
                    Bitmap.clear(b, from, count);
                    model.clear(from, from + count);
                }
                case 2 -> {
                    assertThat(Bitmap.set(b, from)).as(where).isEqualTo(!model.get(from));
                    model.set(from);
                }
                default -> {
                    assertThat(Bitmap.clear(b, from)).as(where).isEqualTo(model.get(from));
                    model.clear(from);
                }
            }
            assertThat(Arrays.copyOf(model.toByteArray(), b.length)).as(where).isEqualTo(b);
            compare(b, model, from, from + count, where);
        }
    }

    private static void compare(byte[] b, BitSet model, int from, int end, String where) {
        int set = model.nextSetBit(from);
        assertThat(Bitmap.nextSet(b, from, end)).as(where).isEqualTo(set < 0 || set > end ? end : set);
        assertThat(Bitmap.nextClear(b, from, end)).as(where).isEqualTo(Math.min(model.nextClearBit(from), end));
        int clear = end - from - model.get(from, end).cardinality();
        assertThat(Bitmap.countClear(b, from, end)).as(where).isEqualTo(clear);
        assertThat(Bitmap.allClear(b, from, end - from)).as(where).isEqualTo(clear == end - from);
        assertThat(Bitmap.allSet(b, from, end - from)).as(where).isEqualTo(clear == 0);
        int longest = 0;
        int longestAt = -1;
        int first = -1;
        for (int at = from, run = 0; at < end; at++) {
            run = model.get(at) ? 0 : run + 1;
            if (run > longest) {
                longest = run;
                longestAt = at - run + 1;
            }
            first = run == 5 && first < 0 ? at - 4 : first;
        }
        assertThat(Bitmap.findLongestClearRun(b, from, end)).as(where).isEqualTo(longestAt);
        assertThat(Bitmap.findClearRun(b, from, end, 5)).as(where).isEqualTo(first);
    }
}
