// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.channel;

/** What one reader reads requests from, and where its replies go. Used by one thread. */
interface RequestSource extends AutoCloseable {
    /** Where {@link #read} puts a request, and where its reply is written to before {@link #reply}. */
    RequestHandler.Place place();

    /** Reads a request without waiting: its length in bytes, or a negative error number, EAGAIN if there is none. */
    long read();

    /**
     * Waits until there may be something to read. For one request one of those who wait is woken, so who returns from this
     * with false has to read: nobody else would.
     *
     * @return whether the word has come that readers are to stop; then what there is to read is left to others
     */
    boolean awaitRequest();

    /** Sends the reply that stands in its place. */
    void reply(int length);

    @Override
    void close();
}
