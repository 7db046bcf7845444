// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.wire;

/** FUSE over io_uring: the commands to {@code /dev/fuse}, and the memory that a request and its reply share. */
public final class RingCommand {
    /** Adds a place for requests to a queue; completes with the first request. */
    public static final int REGISTER = 1;
    /** Answers the request in a place; completes with the next one. */
    public static final int COMMIT_AND_FETCH = 2;

    /** struct fuse_uring_cmd_req: flags, none yet, then these. */
    public static final int COMMIT_ID = 8;
    /** The queue's number, that of a processor; 16 bits. */
    public static final int QID = 16;

    private RingCommand() {}

    /** struct fuse_uring_req_header, the first of the two pieces of memory of a place; the other is the payload. */
    public static final class Headers {
        /** struct fuse_in_header; of a reply struct fuse_out_header. */
        public static final int HEADER = 0;
        /** The operation's fixed part. */
        public static final int FIXED = 128;
        /** What {@link RingCommand#COMMIT_ID} has to repeat. */
        public static final int COMMIT_ID = 264;
        /** Bytes in the payload, of the request and then of the reply. */
        public static final int PAYLOAD_SIZE = 272;

        public static final int SIZE = 288;

        private Headers() {}
    }

    /** struct iovec: REGISTER takes the address of two, of headers and payload. */
    public static final class Iovec {
        public static final int BASE = 0;
        public static final int LEN = 8;
        public static final int SIZE = 16;

        private Iovec() {}
    }
}
