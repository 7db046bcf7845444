// SPDX-License-Identifier: Apache-2.0
package ext4.core.orphan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.ErrnoException;
import ext4.api.orphan.OrphanPlace;
import ext4.testkit.orphan.ModelHandle;
import ext4.testkit.orphan.ModelStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What stands where can be taken off while there is no strategy, in any order; nothing can be put on. */
class DetachedOrphansTest {
    private static final int ORPHANS = 12;

    @Test
    void removesFromWhereEachStands() {
        for (int round = 0; round < 200; round++) {
            long seed = System.nanoTime();
            ModelStore store = new ModelStore(1, 2 * ORPHANS);
            DetachedOrphans list = new DetachedOrphans(store, fill(store));
            List<Integer> left = new ArrayList<>();
            list.present().forEach(place -> left.add(place.ino()));
            List<Integer> order = new ArrayList<>(left);
            Collections.shuffle(order, new Random(seed));
            for (Integer ino : order) {
                list.remove(new ModelHandle(list, list.credits(1)), ino);
                left.remove(ino);
                assertThat(store.recorded())
                        .as("seed %d, without %d", seed, ino)
                        .containsExactlyElementsOf(left);
                assertThat(store.link(ino)).isZero();
                assertThat(list.present()).extracting(OrphanPlace::ino).isEqualTo(left);
                assertThat(list.size()).isEqualTo(left.size());
            }
            assertThat(store.pinned()).isEmpty();
        }
    }

    /** A chain of some, the others in slots; as places, the chain's first. */
    private static List<OrphanPlace> fill(ModelStore store) {
        ModelHandle handle = new ModelHandle(null, 4 * ORPHANS);
        List<OrphanPlace> places = new ArrayList<>();
        for (int ino = 20; ino > 20 - ORPHANS / 2; ino--) {
            store.pin(ino);
            store.link(handle, ino, ino == 21 - ORPHANS / 2 ? 0 : ino - 1);
            store.unpin(ino);
            places.add(OrphanPlace.chain(ino));
        }
        store.chainHead(handle, 20);
        for (int slot = 0; slot < ORPHANS / 2; slot++) {
            store.slot(handle, 0, 2 * slot, 100 + slot);
            places.add(OrphanPlace.slot(100 + slot, 0, 2 * slot));
        }
        return places;
    }

    @Test
    void writesNothingOfWhatIsNotOnDisk() {
        ModelStore store = new ModelStore(0, 0);
        DetachedOrphans list = new DetachedOrphans(store, List.of(OrphanPlace.nowhere(5)));
        list.remove(new ModelHandle(list, 0), 6);
        list.remove(new ModelHandle(list, 0), 5);
        assertThat(list.present()).isEmpty();
        assertThat(store.writes()).isZero();
    }

    @Test
    void putsNothingOn() {
        DetachedOrphans list = new DetachedOrphans(new ModelStore(0, 0), List.of());
        assertThatThrownBy(() -> list.add(new ModelHandle(list, 1), 5)).isInstanceOf(ErrnoException.class);
        assertThat(list.size()).isZero();
    }
}
