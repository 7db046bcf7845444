// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.fuse.channel.Server;
import ext4.fuse.ring.RingPool;
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
    public boolean pause(long nanos) {
        throw new UnsupportedOperationException("a ring can't be replaced while it is mounted");
    }

    @Override
    public void unpause() {
        throw new IllegalStateException("not paused");
    }

    @Override
    public Released release() {
        throw new IllegalStateException("not paused");
    }

    @Override
    public List<Integer> descriptors() {
        throw new UnsupportedOperationException(
                "a mount that is served over io_uring can't outlive its process; mount it" + " with transport="
                        + FuseTransport.TITLE);
    }

    @Override
    public void whenDescriptorsChange(Consumer<List<Integer>> informed) {}
}
