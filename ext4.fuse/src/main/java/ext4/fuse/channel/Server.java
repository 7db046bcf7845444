// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.channel;

import java.util.concurrent.CompletableFuture;

/** The threads that answer the requests of one connection. */
public interface Server {
    /** Completes when the last thread has ended: the connection is gone or {@link #stop} was called. */
    CompletableFuture<Void> ended();

    /** Tells the threads to answer what they have and end; does not wait. */
    void stop();

    /**
     * Waits until the threads themselves are gone and all that they used is given back; one of them that calls it waits
     * for all others.
     */
    void join() throws InterruptedException;
}
