// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.fuse.channel.Server;
import ext4.fuse.ring.RingPool;
import ext4.fuse.ring.RingSupport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A connection served over io_uring, with a reader for what the kernel sends through reads all the same. */
final class RingServer implements Server {
    private final RingPool ring;
    private final Server reader;
    private final CompletableFuture<Void> ended;

    RingServer(RingPool ring, Server reader) {
        this.ring = ring;
        this.reader = reader;
        ended = CompletableFuture.allOf(ring.ended(), reader.ended());
        ring.ended().thenRun(reader::stop); // it ends by itself when unmounted, not where the ring failed
    }

    @Override
    public CompletableFuture<Void> ended() {
        return ended;
    }

    @Override
    public void stop() {
        ring.stop();
        reader.stop();
    }

    @Override
    public void join() throws InterruptedException {
        ring.join();
        reader.join();
    }

    @Override
    public boolean pause(long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        if (!reader.pause(nanos)) {
            return false;
        }
        boolean paused = false;
        try {
            paused = ring.pause(deadline - System.nanoTime());
        } finally {
            if (!paused) {
                reader.unpause();
            }
        }
        return paused;
    }

    @Override
    public void unpause() {
        throw new IllegalStateException("the threads of a ring that was paused have ended");
    }

    @Override
    public Released release() {
        Released rings = ring.leave();
        List<Integer> descriptors = new ArrayList<>(reader.release().descriptors());
        descriptors.addAll(rings.descriptors());
        return new Released(descriptors, rings.numbers(), rings.words());
    }

    @Override
    public List<Integer> descriptors() {
        throw new UnsupportedOperationException(RingSupport.PROCESS_BOUND);
    }

    @Override
    public void whenDescriptorsChange(Consumer<List<Integer>> informed) {}
}
