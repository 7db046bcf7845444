// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.fuse.channel.Server;
import ext4.fuse.ring.RingPool;
import java.util.concurrent.CompletableFuture;

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
}
