// SPDX-License-Identifier: Apache-2.0
/**
 * The kernel's door: a {@link ext4.api.fs.Transport} that speaks the low-level FUSE protocol on {@code /dev/fuse}.
 *
 * <p>Rooms: {@code wire} knows the structures, {@code channel} the descriptors and the threads that read them, {@code ring}
 * the rings of io_uring and the threads that serve those,
 * {@code session} what a request means. A request is answered by the thread that read it, on the descriptor it came
 * from.
 */
package ext4.fuse;
