// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.ring;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import ext4.api.fs.CarrierThread;
import ext4.fuse.channel.Descriptors;
import ext4.fuse.channel.RequestHandler;
import ext4.fuse.wire.Replies;
import ext4.fuse.wire.Requests;
import ext4.fuse.wire.RingCommand.Headers;
import ext4.fuse.wire.RingCommand.Iovec;
import java.lang.foreign.MemorySegment;

/** Room for one request and its reply. Used by one thread at a time: who serves its queue, or who waits inside it. */
final class RingPlace implements RequestHandler.Blocking {
    /** Bytes of the names or data of a request or reply; the kernel asks for max_write at least. */
    static final int PAYLOAD_BYTES = Descriptors.MAX_WRITE;
    /** Bytes of the headers, with the iovecs that describe a place behind them. */
    static final int HEADER_BYTES = 512;

    private static final int IOVECS = 320;

    final int number;
    final int qid;
    private final MemorySegment headers;
    private final MemorySegment payload;
    /** Set before the first request. */
    private RequestHandler.Worker worker;

    /**
     * @param number of the place in its ring
     * @param qid the kernel's number of the queue
     * @param headers of {@link #HEADER_BYTES}
     * @param payload of {@link #PAYLOAD_BYTES}
     */
    RingPlace(int number, int qid, MemorySegment headers, MemorySegment payload) {
        this.number = number;
        this.qid = qid;
        this.headers = headers;
        this.payload = payload;
        iovec(0, headers.address(), Headers.SIZE);
        iovec(1, payload.address(), PAYLOAD_BYTES);
    }

    private void iovec(int index, long address, long length) {
        long at = IOVECS + (long) index * Iovec.SIZE;
        headers.set(JAVA_LONG, at + Iovec.BASE, address);
        headers.set(JAVA_LONG, at + Iovec.LEN, length);
    }

    /** Address of the two iovecs that describe it to the kernel. */
    long iovecs() {
        return headers.address() + IOVECS;
    }

    void serveWith(RequestHandler handler) {
        worker = handler.worker(
                new RequestHandler.Place(headers, Headers.FIXED, payload, headers.asSlice(Headers.HEADER), payload),
                this);
    }

    RequestHandler.Worker worker() {
        return worker;
    }

    /** Carries out the request and leaves the reply for {@link #commitId}. */
    void answer() {
        int length = headers.get(JAVA_INT, Headers.HEADER + Requests.Header.LEN);
        int apart = headers.get(JAVA_INT, Headers.PAYLOAD_SIZE);
        int reply = worker.handle(length, length - Requests.Header.SIZE - apart);
        headers.set(JAVA_INT, Headers.PAYLOAD_SIZE, Math.max(0, reply - Replies.Header.SIZE));
    }

    /** What the kernel called the request. */
    long commitId() {
        return headers.get(JAVA_LONG, Headers.COMMIT_ID);
    }

    @Override
    public void begin() {
        ((RingThread) ((CarrierThread) Thread.currentThread()).serving()).handOver();
    }

    @Override
    public void end() {
        // the thread finds out when it has the answer
    }
}
