// SPDX-License-Identifier: Apache-2.0
package ext4.journal.log;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CarrierThread;
import ext4.api.fs.DeviceException;
import ext4.journal.engine.BlockState;
import ext4.journal.engine.CommitSink;
import ext4.journal.engine.Threads;
import ext4.journal.inplace.BlockWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes durable versions to their places so that the log's tail can advance: in its own thread when log space or memory
 * asks for it, or in the thread that calls {@link #drain}.
 *
 * <p>Needs no handle, no inode lock and no commit. Lock order: {@link #turn}, {@link #batch}, then a block's monitor.
 */
final class Checkpointer implements Runnable {
    /** Blocks written with {@link #batch} held. */
    private static final int BATCH = 64;

    private record Entry(BlockState state, byte[] version, LoggedTransaction from, long pblk) {}

    private final LogRing ring;
    private final BlockDevice device;
    private final BlockWriter writer; // guarded by turn
    private final Runnable progress;
    private final int chunk;
    private final CommitSink.Owner owner;
    private final ReentrantLock turn = new ReentrantLock();
    private final ReentrantLock batch = new ReentrantLock();
    private final Semaphore requests = new Semaphore(0);
    private final Thread thread = CarrierThread.once("ext4-journal-checkpoint", this);
    private final LongAdder blocks = new LongAdder();
    private volatile boolean stopping;

    /**
     * @param progress called after the tail has advanced
     * @param owner told of failures of the thread
     */
    Checkpointer(LogRing ring, BlockDevice device, int blockSize, Runnable progress, CommitSink.Owner owner) {
        this.ring = ring;
        this.device = device;
        this.writer = new BlockWriter(device, blockSize);
        this.progress = progress;
        this.chunk = Math.max(1, ring.capacity() / 8);
        this.owner = owner;
    }

    void start() {
        thread.start();
    }

    /** Has the thread drain the log; does not wait. */
    void request() {
        if (requests.availablePermits() == 0) {
            requests.release();
        }
    }

    /** Ends and joins the thread. */
    void stop() {
        stopping = true;
        requests.release();
        Threads.join(thread);
    }

    @Override
    public void run() {
        while (true) {
            requests.acquireUninterruptibly();
            requests.drainPermits();
            if (stopping) {
                return;
            }
            try {
                drain();
            } catch (RuntimeException | Error failure) {
                owner.failed(failure);
                return;
            }
        }
    }

    /** Writes what is durable now, and advances the tail behind it. */
    void drain() {
        turn.lock();
        try {
            int newest = ring.newest();
            ring.reclaim();
            for (List<LoggedTransaction> oldest = ring.oldest(chunk, newest); !oldest.isEmpty(); ) {
                writeBack(oldest);
                ring.reclaim();
                progress.run();
                oldest = ring.oldest(chunk, newest);
            }
            progress.run();
        } finally {
            turn.unlock();
        }
    }

    /** Returns when no version that was dropped before this call is on its way to the device. */
    void awaitBatch() {
        batch.lock();
        batch.unlock();
    }

    /** Blocks written to their places. */
    long blocks() {
        return blocks.sum();
    }

    private void writeBack(List<LoggedTransaction> transactions) {
        List<Entry> entries = new ArrayList<>();
        for (LoggedTransaction transaction : transactions) {
            for (BlockState state : transaction.states()) {
                byte[] version = state.waitingFor(transaction.waiting());
                if (version != null) {
                    entries.add(
                            new Entry(state, version, transaction, state.block().pblk()));
                }
            }
        }
        entries.sort(Comparator.comparingLong(Entry::pblk));
        for (int from = 0; from < entries.size(); from += BATCH) {
            writeBatch(entries.subList(from, Math.min(entries.size(), from + BATCH)));
        }
        device.flush();
        for (Entry each : entries) {
            each.state.written(each.version);
        }
    }

    /** The look at the state and the write are one step for {@link #awaitBatch}: a dropped version is never written late. */
    @SuppressWarnings("ReferenceEquality") // the version is that array, not one with the same content
    private void writeBatch(List<Entry> entries) {
        batch.lock();
        try {
            if (owner.aborted()) {
                throw new DeviceException("checkpoint: the journal aborted");
            }
            for (Entry each : entries) {
                if (each.state.waitingFor(each.from.waiting()) == each.version) {
                    writer.write(each.pblk, each.version);
                    blocks.increment();
                }
            }
            writer.flushBuffer();
        } finally {
            writer.discard(); // after a failure in between; else it is empty
            batch.unlock();
        }
    }
}
