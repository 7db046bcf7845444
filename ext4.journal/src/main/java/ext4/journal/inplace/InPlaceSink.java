// SPDX-License-Identifier: Apache-2.0
package ext4.journal.inplace;

import ext4.api.block.BlockDevice;
import ext4.api.fs.DeviceException;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.journal.engine.BlockState;
import ext4.journal.engine.CommitSink;
import ext4.journal.engine.FrozenTransaction;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;

/**
 * No log: a committed transaction is written to its places, in ascending order, and flushed. Not atomic, as in the kernel's
 * mode without a journal, but freed blocks are still not reused before the freeing has been written.
 */
public final class InPlaceSink implements CommitSink {
    private static final int SMALLEST = 256;
    private static final int LARGEST = 1 << 16;

    private final BlockDevice device;
    private final boolean barrier;
    private final int size;
    private final BlockWriter writer;
    private Owner owner;
    private volatile long requests; // written by the commit thread

    public InPlaceSink(JournalHost host, JournalOptions options) {
        this.device = host.device();
        this.barrier = options.barrier();
        this.size = (int) Math.clamp(options.memoryBudget() / host.blockSize() / 4, SMALLEST, LARGEST);
        this.writer = new BlockWriter(device, host.blockSize());
    }

    @Override
    public boolean journals() {
        return false;
    }

    @Override
    public int transactionSize() {
        return size;
    }

    @Override
    public long firstTid() {
        return 1;
    }

    @Override
    public void attach(Owner journal) {
        owner = journal;
    }

    @Override
    public boolean admits() {
        return true;
    }

    @Override
    public void relieve() {}

    @Override
    public void commit(FrozenTransaction transaction) {
        transaction.seal();
        Integer[] order = new Integer[transaction.count()];
        Arrays.setAll(order, i -> i);
        Arrays.sort(
                order,
                Comparator.comparingLong(i -> transaction.state(i).block().pblk()));
        for (int i : order) {
            if (owner.aborted()) {
                return;
            }
            writer.write(transaction.state(i).block().pblk(), transaction.version(i));
        }
        writer.flushBuffer();
        requests = writer.requests();
        if (barrier) {
            device.flush();
        }
        for (int i = 0; i < transaction.count(); i++) {
            transaction.state(i).written(transaction.version(i));
        }
        transaction.forgotten().forEach(BlockState::dropDurable);
    }

    @Override
    public void checkpoint() {
        try {
            device.flush();
        } catch (DeviceException e) {
            owner.failed(e);
            throw e;
        }
    }

    @Override
    public void recordError(int errno) {}

    @Override
    public void close(boolean aborted) {}

    @Override
    public void count(Map<String, Long> counters) {
        counters.put("write requests", requests);
    }
}
