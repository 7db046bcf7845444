// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.journal;

import ext4.api.journal.Barrier;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.testkit.device.RecordingDevice;
import ext4.testkit.journal.History.Kind;
import ext4.testkit.journal.History.State;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Handles of several threads that change, free and reuse blocks (as metadata and as data written past the journal), swap
 * the orphan list behind barriers and ask for commits. Keeps the rules a core must keep: locks before handles, no reuse
 * before the freeing is durable.
 */
final class JournalLoad {
    /** The first block is the clock of the orphan lists, the second stands for a bitmap. */
    private static final int FIRST_PLAIN = 2;

    private final ModelHost host;
    private final RecordingDevice device;
    private final Journal journal;
    private final History model;
    private final Place[] places = new Place[ModelHost.DATA];
    private final AtomicLong values = new AtomicLong(1);
    private final ModelBlock clock;
    private volatile ClockOrphans orphans;
    final List<ModelBlock> blocks = new ArrayList<>(); // guarded by this

    /** A block number and what it is used for. */
    private static final class Place {
        final long pblk;
        final ReentrantLock lock = new ReentrantLock();
        Kind kind = Kind.META; // guarded by lock
        long freedIn; // guarded by lock
        ModelBlock block; // guarded by lock

        Place(long pblk) {
            this.pblk = pblk;
        }
    }

    JournalLoad(ModelHost host, RecordingDevice device, Journal journal, History model) {
        this.host = host;
        this.device = device;
        this.journal = journal;
        this.model = model;
        for (int i = 0; i < places.length; i++) {
            places[i] = new Place(ModelHost.DATA_AT + i);
            places[i].block = remember(host.block(places[i].pblk));
        }
        clock = places[0].block;
        orphans = new ClockOrphans(clock);
        journal.orphans(orphans);
    }

    private synchronized ModelBlock remember(ModelBlock block) {
        blocks.add(block);
        return block;
    }

    /** Runs {@code threads} threads with {@code steps} steps each; throws what any of them threw. */
    void run(int threads, int steps, int freeing, long seed) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(threads, Threads::of)) {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                SplittableRandom random = new SplittableRandom(seed * 31 + t);
                all.add(pool.submit(() -> {
                    for (int i = 0; i < steps; i++) {
                        step(random, freeing);
                    }
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
    }

    private void step(SplittableRandom random, int freeing) {
        int what = random.nextInt(100);
        if (what < freeing) {
            changeUse(random);
        } else if (what < 92) {
            update(random);
        } else if (what < 95) {
            swapOrphans();
        } else if (what < 98) {
            commit(journal.runningTid());
        } else {
            journal.commitRunning();
        }
    }

    private void commit(long tid) {
        journal.commit(tid);
        model.durable(device.position(), tid);
    }

    /** Writes some blocks; now and then in two parts. */
    private void update(SplittableRandom random) {
        List<Place> chosen = lockSome(random, 1 + random.nextInt(12));
        long tid;
        try (Handle handle = journal.start(HandleKind.INODE, chosen.size(), 1)) {
            boolean restarts = random.nextInt(8) == 0;
            int half = chosen.size() / 2;
            for (int i = 0; i < chosen.size(); i++) {
                if (restarts && i == half) {
                    handle.restart(chosen.size() - half, 1);
                }
                write(handle, chosen.get(i));
            }
            if (random.nextInt(4) == 0) {
                handle.orphans().add(handle, 12);
            }
            tid = handle.tid();
        } finally {
            chosen.forEach(place -> place.lock.unlock());
        }
        if (random.nextInt(40) == 0) {
            commit(tid);
        }
    }

    private void write(Handle handle, Place place) {
        if (place.kind != Kind.META) {
            return;
        }
        long value = values.getAndIncrement();
        Content.fill(handle.write(place.block), place.pblk, value);
        model.put(handle.tid(), place.pblk, new State(Kind.META, value));
    }

    private List<Place> lockSome(SplittableRandom random, int count) {
        int hot = random.nextInt(3) == 0 ? 16 : places.length - FIRST_PLAIN;
        int[] indexes = random.ints(count, FIRST_PLAIN, FIRST_PLAIN + hot)
                .distinct()
                .sorted()
                .toArray();
        List<Place> chosen = new ArrayList<>();
        Arrays.stream(indexes).forEach(i -> chosen.add(places[i]));
        chosen.forEach(place -> place.lock.lock());
        return chosen;
    }

    /** Frees a used block or uses a free one. */
    private void changeUse(SplittableRandom random) {
        Place bitmap = places[1];
        Place place = places[FIRST_PLAIN + random.nextInt(places.length - FIRST_PLAIN)];
        bitmap.lock.lock();
        place.lock.lock();
        try (Handle handle = journal.start(HandleKind.ALLOCATE, 3, 0)) {
            write(handle, bitmap);
            switch (place.kind) {
                case META -> freeMeta(handle, place, random);
                case DATA -> free(handle, place);
                case FREE -> use(handle, place, random);
            }
        } finally {
            place.lock.unlock();
            bitmap.lock.unlock();
        }
    }

    private void freeMeta(Handle handle, Place place, SplittableRandom random) {
        if (random.nextInt(3) == 0) {
            write(handle, place);
        }
        handle.forget(place.pblk, place.block);
        if (random.nextInt(4) == 0) {
            write(handle, place);
            return;
        }
        free(handle, place);
        place.block = null;
    }

    private void free(Handle handle, Place place) {
        place.kind = Kind.FREE;
        place.freedIn = handle.tid();
        model.put(handle.tid(), place.pblk, new State(Kind.FREE, 0));
    }

    private void use(Handle handle, Place place, SplittableRandom random) {
        if (place.freedIn > journal.durableTid()) {
            return;
        }
        long value = values.getAndIncrement();
        if (random.nextBoolean()) {
            place.kind = Kind.DATA;
            byte[] data = Content.sealed(ModelHost.BLOCK, place.pblk, value);
            device.write(place.pblk * ModelHost.BLOCK, ByteBuffer.wrap(data));
            model.put(handle.tid(), place.pblk, new State(Kind.DATA, value));
        } else {
            place.kind = Kind.META;
            place.block = remember(new ModelBlock(place.pblk, new byte[ModelHost.BLOCK]));
            write(handle, place);
        }
    }

    private void swapOrphans() {
        try (Barrier barrier = journal.lockUpdates()) {
            ClockOrphans old = orphans;
            old.closing(barrier.handle());
            ClockOrphans next = new ClockOrphans(clock);
            barrier.publish(next);
            old.detach();
            orphans = next;
        }
    }
}
