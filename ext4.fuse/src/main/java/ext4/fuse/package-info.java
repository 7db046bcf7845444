// SPDX-License-Identifier: Apache-2.0
/**
 * The kernel's door: a {@link ext4.api.fs.Transport} that speaks the low-level FUSE protocol on {@code /dev/fuse}.
 *
 * <p>Rooms: {@code wire} knows the structures, {@code channel} the descriptors and the threads that read them, {@code ring}
 * the rings of io_uring and the threads that serve those,
 * {@code session} what a request means. A request is answered by the thread that read it, on the descriptor it came
 * from.
 *
 * <p><b>A connection without a server</b> is an {@link ext4.api.fs.TransportState}, form 1, of which a later version of this
 * bundle, or another process, makes a session again:
 *
 * <ul>
 *   <li>{@code descriptors}: the connection's own first, then its clones, from each of which one reader reads. The first
 *       alone is enough, for clones that are missing are made; but a clone that is closed takes along the requests that
 *       were read from it and not answered, so who wants to go on after a crash keeps all.
 *   <li>{@code numbers}: {@code format} 1; {@code init.flags}, the flags of FUSE_INIT that both sides agreed on, flags2
 *       from bit 32 up; {@code init.max_write} in bytes, which a server's buffers must hold; {@code count.NAME}, the counter
 *       NAME of the session, which go on.
 *   <li>{@code words}: {@code mount.way} {@code mount}, that is mount(2), or {@code fusermount3}; {@code mount.directory},
 *       the mount point's real path; {@code mount.program}, the path of fusermount3; {@code transport.asked}, the transport
 *       that the mount was asked for with, which is not the state's if the kernel did not go along.
 *   <li>{@code resend}: requests may have been read and not answered, so the kernel is asked to send them again. It marks
 *       them with bit 63 of their number, which the reply repeats as it does the rest.
 * </ul>
 *
 * <p>Of one that is served over io_uring, in the same process only: the second descriptor is for reads, the others are those
 * that rings use. {@code ring.count} rings of process {@code ring.process} with places of {@code ring.header_bytes} and
 * {@code ring.payload_bytes}; {@code ring.threads}, the numbers of the {@link ext4.api.fs.CarrierThread}s that may have
 * submitted something, of which the first carries for each ring an {@link ext4.sys.IoUring} and its memory; and for ring N
 * {@code ring.N.processor}, {@code ring.N.connection} and {@code ring.N.wake_event} (descriptors), {@code ring.N.live}
 * (places that the kernel has not given up) and {@code ring.N.queues} (for each place its queue's number).
 */
package ext4.fuse;
