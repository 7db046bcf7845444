// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.session;

import ext4.api.fs.DeviceException;
import ext4.fuse.channel.Descriptors;
import ext4.fuse.channel.RequestHandler.Place;
import ext4.fuse.wire.InitFlag;
import ext4.fuse.wire.Opcode;
import ext4.fuse.wire.Replies;
import ext4.fuse.wire.Requests;
import java.lang.foreign.MemorySegment;

/**
 * The first request, INIT: what kernel and server agree on.
 *
 * <p>OPEN and OPENDIR are answered ENOSYS, so the kernel's count of lookups is the only pin; that is why ATOMIC_O_TRUNC
 * is not taken: an O_TRUNC would never arrive. Locks of fcntl(2) and flock(2) stay the kernel's. The umask is applied by
 * the kernel.
 */
public final class Negotiation {
    private static final int MAJOR = 7;
    private static final int MINOR = 45;
    /** Linux 5.12 brought HANDLE_KILLPRIV_V2, without which set-id bits would not be cleared. */
    private static final int OLDEST_MINOR = 33;

    private static final int MAX_BACKGROUND = 64;
    private static final int CONGESTION_THRESHOLD = 48;
    private static final int PAGE = 4096;

    private static final long WANTED = InitFlag.ASYNC_READ
            | InitFlag.BIG_WRITES
            | InitFlag.DO_READDIRPLUS
            | InitFlag.READDIRPLUS_AUTO
            | InitFlag.ASYNC_DIO
            | InitFlag.NO_OPEN_SUPPORT
            | InitFlag.PARALLEL_DIROPS
            | InitFlag.MAX_PAGES
            | InitFlag.CACHE_SYMLINKS
            | InitFlag.NO_OPENDIR_SUPPORT
            | InitFlag.HANDLE_KILLPRIV_V2
            | InitFlag.HAS_RESEND
            | InitFlag.INIT_EXT;

    private final long wanted;
    private long agreed;
    private boolean done;

    /** @param overRing whether requests are to come by io_uring, if the kernel offers that */
    public Negotiation(boolean overRing) {
        wanted = overRing ? WANTED | InitFlag.OVER_IO_URING : WANTED;
    }

    /** What another server and the kernel agreed on. */
    public static Negotiation agreed(long flags) {
        Negotiation negotiation = new Negotiation(false);
        negotiation.agreed = flags;
        negotiation.done = true;
        return negotiation;
    }

    /** Whether the kernel and the server have agreed. */
    public boolean done() {
        return done;
    }

    /** Capabilities of {@link InitFlag} that are in use. */
    public long agreed() {
        return agreed;
    }

    /** Whether the kernel can be asked to send requests again. */
    public boolean resends() {
        return (agreed & InitFlag.HAS_RESEND) != 0;
    }

    /** Whether the kernel waits for queues of io_uring before it sends anything more. */
    public boolean overRing() {
        return (agreed & InitFlag.OVER_IO_URING) != 0;
    }

    boolean needsOpen() {
        return (agreed & InitFlag.NO_OPEN_SUPPORT) == 0;
    }

    boolean needsOpendir() {
        return (agreed & InitFlag.NO_OPENDIR_SUPPORT) == 0;
    }

    /**
     * Answers the INIT of {@code length} bytes in {@code request}. A kernel of a newer major version is told ours and
     * asks again, so {@link #done} may still be false.
     *
     * @return bytes of the reply
     * @throws DeviceException if it is not INIT, or the kernel is too old
     */
    public int answer(MemorySegment request, int length, MemorySegment reply) {
        Place place = Place.buffers(request, reply);
        Request q = new Request(place);
        Reply r = new Reply(place);
        q.parse(length, 0);
        if (q.opcode() != Opcode.INIT.number()) {
            throw new DeviceException("/dev/fuse: the first request is " + q.opcode() + " and not INIT");
        }
        int major = q.int32(Requests.Init.MAJOR);
        int minor = q.int32(Requests.Init.MINOR);
        r.begin();
        r.zero(0, Replies.Init.SIZE)
                .int32(Replies.Init.MAJOR, MAJOR)
                .int32(Replies.Init.MINOR, MINOR)
                .body(Replies.Init.SIZE);
        if (major > MAJOR) {
            return r.finish(q.unique(), 0);
        }
        if (major < MAJOR || minor < OLDEST_MINOR) {
            throw new DeviceException("/dev/fuse: the kernel speaks FUSE " + major + "." + minor + ", Linux 5.12 with "
                    + MAJOR + "." + OLDEST_MINOR + " is the oldest that works");
        }
        agree(q);
        r.int32(Replies.Init.MAX_READAHEAD, q.int32(Requests.Init.MAX_READAHEAD))
                .int32(Replies.Init.FLAGS, (int) agreed)
                .int32(Replies.Init.FLAGS2, (int) (agreed >>> Integer.SIZE))
                .int16(Replies.Init.MAX_BACKGROUND, MAX_BACKGROUND)
                .int16(Replies.Init.CONGESTION_THRESHOLD, CONGESTION_THRESHOLD)
                .int32(Replies.Init.MAX_WRITE, Descriptors.MAX_WRITE)
                .int32(Replies.Init.TIME_GRAN, 1)
                .int16(Replies.Init.MAX_PAGES, Descriptors.MAX_WRITE / PAGE);
        done = true;
        return r.finish(q.unique(), 0);
    }

    private void agree(Request q) {
        long offered = Integer.toUnsignedLong(q.int32(Requests.Init.FLAGS));
        if ((offered & InitFlag.INIT_EXT) != 0) {
            offered |= (long) q.int32(Requests.Init.FLAGS2) << Integer.SIZE;
        }
        agreed = offered & wanted;
        if ((agreed & InitFlag.HANDLE_KILLPRIV_V2) == 0 || (agreed & InitFlag.MAX_PAGES) == 0) {
            throw new DeviceException(
                    "/dev/fuse: the kernel offers " + Long.toHexString(offered) + ", without what this server needs");
        }
    }
}
