// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.channel;

import java.lang.foreign.MemorySegment;

/**
 * Answers requests, however they come. Each place where requests stand has a worker of its own, which one thread at a
 * time uses.
 */
public interface RequestHandler {
    /** Makes the worker of one place; {@code blocking} is told of requests that wait. */
    Worker worker(Place place, Blocking blocking);

    /**
     * Where a request stands and where its reply goes.
     *
     * <p>A request is its header, then the body: the operation's fixed part, then names or data. In one buffer these
     * follow each other; in a ring the names or data stand apart. A reply is its header, then the body. Header and body
     * of the reply may lie where the request's header and its names or data are, so a reply is written when the request
     * has been read.
     *
     * @param request where the request's header stands, and behind it, at {@code fixed}, the beginning of the body
     * @param fixed offset of the body in {@code request}
     * @param data where names or data stand
     * @param replyHeader where the reply's header goes
     * @param replyBody where its body goes
     */
    record Place(
            MemorySegment request, int fixed, MemorySegment data, MemorySegment replyHeader, MemorySegment replyBody) {
        private static final int REQUEST_HEADER = 40;
        private static final int REPLY_HEADER = 16;

        /** One buffer for the request and one for the reply. */
        public static Place buffers(MemorySegment request, MemorySegment reply) {
            return new Place(
                    request, REQUEST_HEADER, request.asSlice(REQUEST_HEADER), reply, reply.asSlice(REPLY_HEADER));
        }
    }

    /** Is told by a worker before and after it waits for long, so that others are served meanwhile. */
    interface Blocking {
        /** The calling thread is about to wait. */
        void begin();

        /** It waits no longer. */
        void end();
    }

    /** The answering half of one place. */
    interface Worker {
        /**
         * Carries out the request that stands in its place.
         *
         * @param length bytes of the request, header, fixed part and names or data together
         * @param dataAt offset in the body of what stands at the beginning of {@link Place#data}
         * @return bytes of the reply, header and body together; 0 if there is none
         */
        int handle(int length, int dataAt);

        /** The request begins to wait at the mount's gate, where it can be interrupted. */
        void waiting();

        /** It goes on. */
        void resumed();
    }
}
