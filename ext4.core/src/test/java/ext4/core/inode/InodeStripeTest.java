// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A stripe of the inode cache against a map of the library. */
class InodeStripeTest {
    private static final int SHARE = 100;

    private final long seed = Long.getLong("ext4.test.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Pins pins = new Pins();

    private Inode get(InodeStripe stripe, int ino) {
        Inode inode = stripe.findOrAdd(ino);
        if (inode.loading) {
            stripe.loaded(inode, pins);
        }
        assertThat(inode.ino).isEqualTo(ino);
        return inode;
    }

    @Test
    void whatIsHeldStaysAndTheRestIsBounded() {
        System.out.println("seed " + seed);
        InodeStripe stripe = new InodeStripe(SHARE);
        Map<Integer, Inode> held = new HashMap<>();
        for (int step = 0; step < 100_000; step++) {
            int ino = 1 + random.nextInt(2000) * (random.nextBoolean() ? 64 : 8192);
            Inode mine = held.remove(ino);
            if (mine == null) {
                held.put(ino, get(stripe, ino));
            } else {
                assertThat(get(stripe, ino)).isSameAs(mine);
                stripe.put(mine);
                stripe.put(mine);
            }
            if (held.size() > 40) {
                held.values().forEach(stripe::put);
                held.clear();
            }
            // the hand may have to go round once before it lets one go that was used
            assertThat(stripe.count()).isLessThan(3 * SHARE);
        }
    }

    @Test
    void aStripeFullOfHeldInodesGrowsAndShrinksAgain() {
        InodeStripe stripe = new InodeStripe(SHARE);
        List<Inode> held = new ArrayList<>();
        for (int i = 1; i <= 20 * SHARE; i++) {
            held.add(get(stripe, i));
        }
        assertThat(stripe.count()).isEqualTo(20 * SHARE);
        held.forEach(inode -> assertThat(get(stripe, inode.ino)).isSameAs(inode));
        held.forEach(stripe::put);
        held.forEach(stripe::put);
        for (int i = 1; i <= 20 * SHARE; i++) {
            stripe.put(get(stripe, 1_000_000 + i));
        }
        assertThat(stripe.count()).isLessThan(3 * SHARE);
    }

    @Test
    void aFreedNumberComesBackAsAFreshObject() {
        InodeStripe stripe = new InodeStripe(SHARE);
        Inode first = get(stripe, 12);
        stripe.remove(first);
        assertThat(stripe.readLocked(12)).isNull();
        Inode second = new Inode(12);
        stripe.replace(second);
        stripe.remove(first); // no longer there: the other stays
        assertThat(get(stripe, 12)).isSameAs(second);
        Inode read = stripe.readLocked(12);
        assertThat(read).isSameAs(second);
        assertThat(read.lock.getReadHoldCount()).isEqualTo(1);
        read.lock.readLock().unlock();
    }
}
