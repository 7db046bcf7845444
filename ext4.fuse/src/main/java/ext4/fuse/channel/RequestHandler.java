// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.channel;

import java.lang.foreign.MemorySegment;

/** Answers requests. Each reader thread has a worker of its own, whose state and buffers no other thread touches. */
public interface RequestHandler {
    /**
     * Makes the worker of the calling thread.
     *
     * @param request where requests will stand, {@link Descriptors#REQUEST_BYTES} long
     * @param reply where the worker writes replies, {@link Descriptors#REPLY_BYTES} long
     * @param blocking to be told of requests that wait
     */
    Worker worker(MemorySegment request, MemorySegment reply, Blocking blocking);

    /** Is told by a worker before and after it waits for long, so that others read meanwhile. */
    interface Blocking {
        /** The calling reader is about to wait. */
        void begin();

        /** It waits no longer. */
        void end();
    }

    /** The answering half of one reader thread. */
    interface Worker {
        /**
         * Carries out the request of {@code length} bytes that stands in the request buffer.
         *
         * @return bytes of the reply, 0 if there is none
         */
        int handle(int length);

        /** The request begins to wait at the mount's gate, where it can be interrupted. */
        void waiting();

        /** It goes on. */
        void resumed();
    }
}
