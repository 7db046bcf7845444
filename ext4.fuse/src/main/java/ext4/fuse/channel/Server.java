// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.channel;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The threads that answer the requests of one connection. */
public interface Server {
    /**
     * A connection that nobody serves.
     *
     * @param descriptors the connection's own first, then clones
     * @param numbers what else whoever goes on with it has to know
     * @param words the same for text
     */
    record Released(List<Integer> descriptors, Map<String, Long> numbers, Map<String, String> words) {}

    /** Completes when the last thread has ended: the connection is gone or {@link #stop} was called. */
    CompletableFuture<Void> ended();

    /** Tells the threads to answer what they have and end; does not wait. */
    void stop();

    /**
     * Waits until the threads themselves are gone and all that they used is given back; one of them that calls it waits
     * for all others.
     */
    void join() throws InterruptedException;

    /**
     * Lets the threads answer what they have and end, and joins them; the connection stays as it is, and further requests
     * wait in the kernel. If the connection is gone before that is done, {@link #ended} is complete afterwards.
     *
     * @param nanos how long a request that is being answered is waited for
     * @return false if one took longer: everything goes on as before
     */
    boolean pause(long nanos) throws InterruptedException;

    /** After {@link #pause}: serves again. */
    void unpause();

    /** After {@link #pause}: gives the connection up. The server is of no use afterwards. */
    Released release();

    /**
     * All descriptors of which a request may be in flight, the connection's own first.
     *
     * @throws UnsupportedOperationException if a further process could not go on with them
     */
    List<Integer> descriptors();

    /** Tells {@code informed} when {@link #descriptors} change, before a new one is used. It is called with locks held. */
    void whenDescriptorsChange(Consumer<List<Integer>> informed);
}
