// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.orphan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStrategy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What every orphan strategy must keep, as tests: a strategy's own test class extends this and says what it is.
 *
 * <p>The rule behind all of them: at the end of each transaction the disk names exactly the inodes that are wanted, each
 * once, whatever happened in between.
 */
public abstract class OrphanStrategyContract {
    /** The strategy under test. */
    protected abstract OrphanStrategy strategy();

    private static final int INODES = 40;

    /** Runs transactions of random adds and removes and compares the disk with the wish at each close. */
    @ParameterizedTest
    @CsvSource({"0, 8", "1, 4", "2, 16", "4, 64"})
    void diskNamesEachWantedInodeOnceAtEveryClose(int fileBlocks, int slotsPerBlock) {
        for (long seed = 1; seed <= 30; seed++) {
            ModelStore store = new ModelStore(fileBlocks, slotsPerBlock);
            randomTransactions(store, strategy().attach(store, List.of()), new HashSet<>(), seed);
        }
    }

    private OrphanList randomTransactions(ModelStore store, OrphanList list, Set<Integer> wanted, long seed) {
        Random random = new Random(seed);
        for (int transaction = 0; transaction < 40; transaction++) {
            int reserved = 0;
            for (int step = random.nextInt(30); step > 0; step--) {
                reserved += change(store, list, wanted, random);
                assertEquals(wanted.size(), list.size(), "size before the close, seed " + seed);
            }
            close(list, reserved);
            assertEquals(wanted, store.recorded(), "seed " + seed + ", transaction " + transaction);
            assertEquals(wanted.size(), list.size(), "size after the close, seed " + seed);
        }
        return list;
    }

    private static int change(ModelStore store, OrphanList list, Set<Integer> wanted, Random random) {
        int ino = 11 + random.nextInt(INODES);
        ModelHandle handle = new ModelHandle(list, list.credits(1));
        if (random.nextBoolean()) {
            if (!wanted.contains(ino)) {
                store.coreWrites(ino, 0); // a live inode
            }
            list.add(handle, ino);
            wanted.add(ino);
        } else {
            list.remove(handle, ino);
            if (wanted.remove(ino)) {
                store.coreWrites(ino, random.nextBoolean() ? 0 : 1_700_000_000); // lives on, or is freed
            }
        }
        handle.close();
        return handle.reserved();
    }

    private static void close(OrphanList list, int reserved) {
        ModelHandle closing = new ModelHandle(list, reserved);
        list.closing(closing);
        closing.close();
        assertTrue(!list.pending(), "closing leaves nothing to write");
    }

    /** Twice in, once out; out without in. */
    @Test
    void addingTwiceAndRemovingWhatIsNotListedDoNothing() {
        ModelStore store = new ModelStore(1, 4);
        OrphanList list = strategy().attach(store, List.of());
        ModelHandle handle = new ModelHandle(list, list.credits(4));
        list.add(handle, 12);
        list.add(handle, 12);
        list.remove(handle, 13);
        close(list, handle.reserved());
        assertEquals(Set.of(12), store.recorded());
        ModelHandle second = new ModelHandle(list, list.credits(2));
        list.remove(second, 12);
        list.remove(second, 12);
        close(list, second.reserved());
        assertEquals(Set.of(), store.recorded());
        assertEquals(Set.of(), store.pinned(), "pins are given back");
    }

    /** Down to the empty chain, from its end, its front and its middle. */
    @ParameterizedTest
    @CsvSource({"12, 13, 14", "14, 13, 12", "13, 14, 12"})
    void theChainLosesItsMembersDownToTheLast(int first, int second, int third) {
        ModelStore store = new ModelStore(0, 4);
        OrphanList list = strategy().attach(store, List.of());
        ModelHandle adds = new ModelHandle(list, list.credits(3));
        List.of(12, 13, 14).forEach(ino -> list.add(adds, ino));
        close(list, adds.reserved());
        Set<Integer> left = new HashSet<>(Set.of(12, 13, 14));
        assertEquals(left, store.recorded());
        for (int ino : new int[] {first, second, third}) {
            ModelHandle handle = new ModelHandle(list, list.credits(1));
            list.remove(handle, ino);
            store.coreWrites(ino, 1_700_000_000);
            close(list, handle.reserved());
            left.remove(ino);
            assertEquals(left, store.recorded(), "after the removal of " + ino);
        }
        assertEquals(Set.of(), store.pinned(), "pins are given back");
    }

    /** Without a journal, and after an abort, only memory changes. */
    @Test
    void writesNothingWhereNothingMayBeWritten() {
        ModelStore store = new ModelStore(1, 4);
        store.persistent(false);
        OrphanList list = strategy().attach(store, List.of());
        ModelHandle handle = new ModelHandle(list, list.credits(3));
        list.add(handle, 12);
        list.add(handle, 13);
        list.remove(handle, 12);
        assertEquals(1, list.size());
        close(list, 0);
        assertEquals(0, store.writes());
        assertEquals(List.of(OrphanPlace.nowhere(13)), list.present());
    }

    /** The journal aborts while inodes are listed. */
    @Test
    void touchesMemoryOnlyAfterAnAbort() {
        ModelStore store = new ModelStore(1, 2);
        OrphanList list = strategy().attach(store, List.of());
        ModelHandle handle = new ModelHandle(list, list.credits(5));
        for (int ino = 12; ino < 17; ino++) {
            list.add(handle, ino);
        }
        close(list, handle.reserved());
        store.persistent(false);
        long before = store.writes();
        ModelHandle dead = new ModelHandle(list, 0);
        list.remove(dead, 13);
        list.remove(dead, 16);
        list.add(dead, 20);
        list.closing(dead);
        assertEquals(before, store.writes());
        assertEquals(4, list.size());
        assertEquals(4, list.present().size());
    }

    /** A list handed from one instance to the next, with more changes after it: a live switch in small. */
    @Test
    void takesOverWhereAnotherLeftOff() {
        for (long seed = 1; seed <= 20; seed++) {
            ModelStore store = new ModelStore(1, 8);
            Set<Integer> wanted = new HashSet<>();
            OrphanList list = strategy().attach(store, List.of());
            for (int round = 0; round < 5; round++) {
                randomTransactions(store, list, wanted, seed * 100 + round);
                List<OrphanPlace> present = list.present();
                long before = store.writes();
                OrphanList next = strategy().attach(store, present);
                list.detach();
                assertEquals(before, store.writes(), "attach and detach write nothing");
                assertEquals(places(present), places(next.present()), "seed " + seed);
                list = next;
            }
            list.detach();
            assertEquals(Set.of(), store.pinned(), "pins are given back, seed " + seed);
        }
    }

    private static Set<OrphanPlace> places(List<OrphanPlace> list) {
        Set<OrphanPlace> set = new LinkedHashSet<>(list);
        assertEquals(list.size(), set.size(), "an inode is named once");
        return set;
    }

    /** Orphans that an earlier list could only keep in memory reach the disk at the next close. */
    @Test
    void writesWhatItIsHandedInMemoryOnly() {
        ModelStore store = new ModelStore(0, 8);
        OrphanList list = strategy().attach(store, List.of(OrphanPlace.nowhere(12), OrphanPlace.nowhere(13)));
        assertTrue(list.pending());
        close(list, list.credits(2));
        assertEquals(Set.of(12, 13), store.recorded());
    }

    /** A list that names an inode twice is refused, and the refusal leaves no pin behind. */
    @Test
    void refusesAListThatNamesAnInodeTwice() {
        ModelStore store = new ModelStore(1, 8);
        assertThrows(
                IllegalArgumentException.class,
                () -> strategy().attach(store, List.of(OrphanPlace.chain(12), OrphanPlace.slot(12, 0, 0))));
        assertEquals(Set.of(), store.pinned());
    }

    /** Different inodes at once from several threads, closes in between with no handle open. */
    @Test
    void manyThreadsWithInodesOfTheirOwn() throws Exception {
        ModelStore store = new ModelStore(1, 16);
        OrphanList list = strategy().attach(store, List.of());
        Set<Integer> wanted = ConcurrentHashMap.newKeySet();
        int threads = 4;
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (int transaction = 0; transaction < 20; transaction++) {
                List<Future<Integer>> running = new ArrayList<>();
                for (int thread = 0; thread < threads; thread++) {
                    Random random = new Random(transaction * 31L + thread);
                    int base = 1000 * (thread + 1);
                    running.add(pool.submit(() -> burst(list, wanted, random, base)));
                }
                int reserved = 0;
                for (Future<Integer> future : running) {
                    reserved += future.get();
                }
                close(list, reserved);
                assertEquals(wanted, store.recorded(), "transaction " + transaction);
            }
        }
    }

    private static int burst(OrphanList list, Set<Integer> wanted, Random random, int base) {
        int reserved = 0;
        for (int step = 0; step < 200; step++) {
            int ino = base + random.nextInt(50);
            ModelHandle handle = new ModelHandle(list, list.credits(1));
            if (random.nextInt(3) > 0) {
                list.add(handle, ino);
                wanted.add(ino);
            } else {
                list.remove(handle, ino);
                wanted.remove(ino);
            }
            handle.close();
            reserved += handle.reserved();
        }
        return reserved;
    }
}
