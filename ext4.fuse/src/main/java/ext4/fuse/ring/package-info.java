// SPDX-License-Identifier: Apache-2.0
/**
 * Requests over io_uring, as in the kernel's documentation (filesystems/fuse/fuse-io-uring).
 *
 * <p>The kernel puts a request into the queue of the processor that its caller runs on. Each queue is a ring, some places
 * for requests, and one thread pinned to that processor that answers them and fetches the next in the same system call.
 * A thread whose request has to wait hands its queue to another one, and hands in the answer when there is one.
 */
package ext4.fuse.ring;
