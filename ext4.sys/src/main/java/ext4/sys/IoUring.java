// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * A ring of io_uring(7) with submissions of 128 bytes, for commands to a driver (IORING_OP_URING_CMD).
 *
 * <p>One thread at a time may use a ring; who hands it on does so with a happens-before. What a thread submitted is
 * completed by that thread inside the kernel, whenever it sleeps in a system call or makes one; if the thread ends, its
 * commands are cancelled.
 */
public final class IoUring {
    /** Offset in {@link #submissions} from what {@link #command} returns: the command's own 80 bytes. */
    public static final int COMMAND_BYTES = 80;

    private static final long SETUP = 425;
    private static final long ENTER = 426;
    private static final int SETUP_SUBMIT_ALL = 1 << 7;
    private static final int SETUP_COOP_TASKRUN = 1 << 8;
    private static final int SETUP_SQE128 = 1 << 10;
    private static final int FEAT_SINGLE_MMAP = 1;
    private static final int ENTER_GETEVENTS = 1;
    private static final long OFF_SQES = 0x10000000L;
    private static final byte OP_POLL_ADD = 6;
    private static final byte OP_URING_CMD = 46;
    private static final int POLLIN = 1;

    /** struct io_uring_params. */
    private static final class Params {
        static final int SQ_ENTRIES = 0;
        static final int CQ_ENTRIES = 4;
        static final int FLAGS = 8;
        static final int FEATURES = 20;
        static final int SQ_HEAD = 40;
        static final int SQ_TAIL = 44;
        static final int SQ_ARRAY = 64;
        static final int CQ_HEAD = 80;
        static final int CQ_TAIL = 84;
        static final int CQES = 100;
        static final int SIZE = 120;
    }

    /** struct io_uring_sqe. */
    private static final class Sqe {
        static final int OPCODE = 0;
        static final int FD = 4;
        static final int CMD_OP = 8;
        static final int ADDR = 16;
        static final int LEN = 24;
        static final int POLL_EVENTS = 28;
        static final int USER_DATA = 32;
        static final int CMD = 48;
        static final int SIZE = 128;
    }

    /** struct io_uring_cqe. */
    private static final class Cqe {
        static final int USER_DATA = 0;
        static final int RES = 8;
        static final int SIZE = 16;
    }

    private static final VarHandle INT = JAVA_INT.varHandle();
    private static final MethodHandle IO_URING_SETUP =
            Functions.variadic("syscall", 1, FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS));
    private static final MethodHandle IO_URING_ENTER = Functions.variadic(
            "syscall",
            1,
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG));

    private final int fd;
    private final Mapping rings;
    private final Mapping sqes;
    private final MemorySegment ring;
    private final MemorySegment slots;
    private final int slotMask;
    private final int completionMask;
    private final long sqTail;
    private final long sqHead;
    private final long cqHead;
    private final long cqTail;
    private final long cqes;
    /** Submissions prepared, and how many of them the kernel has taken. */
    private int prepared;

    private int taken;
    /** The completion that is looked at, or the next one. */
    private int completion;

    private IoUring(SystemCalls calls, int fd, MemorySegment params) {
        this.fd = fd;
        int slotCount = params.get(JAVA_INT, Params.SQ_ENTRIES);
        int completionCount = params.get(JAVA_INT, Params.CQ_ENTRIES);
        long array = params.get(JAVA_INT, Params.SQ_ARRAY);
        sqHead = params.get(JAVA_INT, Params.SQ_HEAD);
        sqTail = params.get(JAVA_INT, Params.SQ_TAIL);
        cqHead = params.get(JAVA_INT, Params.CQ_HEAD);
        cqTail = params.get(JAVA_INT, Params.CQ_TAIL);
        cqes = params.get(JAVA_INT, Params.CQES);
        slotMask = slotCount - 1;
        completionMask = completionCount - 1;
        long bytes = Math.max(array + (long) slotCount * Integer.BYTES, cqes + (long) completionCount * Cqe.SIZE);
        rings = Mapping.shared(calls, bytes, fd, 0);
        try {
            sqes = Mapping.shared(calls, (long) slotCount * Sqe.SIZE, fd, OFF_SQES);
        } catch (RuntimeException e) {
            rings.close(calls);
            throw e;
        }
        ring = rings.memory();
        slots = sqes.memory();
        for (int i = 0; i < slotCount; i++) {
            ring.set(JAVA_INT, array + (long) i * Integer.BYTES, i); // each place of the queue has its own slot
        }
    }

    /**
     * Makes a ring.
     *
     * @param entries most submissions between two calls of {@link #enter}
     * @throws UnsupportedOperationException in one line if the kernel or the host's rules have no such ring
     */
    public static IoUring open(SystemCalls calls, int entries) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment params = arena.allocate(Params.SIZE, Long.BYTES);
            params.set(JAVA_INT, Params.FLAGS, SETUP_SQE128 | SETUP_SUBMIT_ALL | SETUP_COOP_TASKRUN);
            int fd = setup(calls, entries, params);
            if (fd == -Linux.EPERM || fd == -Linux.EACCES) {
                throw new UnsupportedOperationException("io_uring is not permitted here; see the sysctl"
                        + " kernel.io_uring_disabled, or the rules (seccomp) of the container this runs in");
            }
            if (fd < 0) {
                throw new UnsupportedOperationException("io_uring_setup: " + Linux.errorText(-fd));
            }
            try {
                if ((params.get(JAVA_INT, Params.FEATURES) & FEAT_SINGLE_MMAP) == 0) {
                    throw new UnsupportedOperationException("io_uring of this kernel is too old");
                }
                return new IoUring(calls, fd, params);
            } catch (RuntimeException e) {
                calls.close(fd);
                throw e;
            }
        }
    }

    private static int setup(SystemCalls calls, int entries, MemorySegment params) {
        try {
            return (int) calls.checked((long) IO_URING_SETUP.invokeExact(calls.state(), SETUP, entries, params));
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
    }

    /** Where submissions are written. */
    public MemorySegment submissions() {
        return slots;
    }

    /**
     * Prepares a command to the driver behind {@code target}.
     *
     * @param address and {@code length}: as the driver wants them
     * @param userData comes back with the completion
     * @return where in {@link #submissions} the command's own {@link #COMMAND_BYTES} are, all zero
     */
    public long command(int target, int operation, long address, int length, long userData) {
        long at = slot(OP_URING_CMD, target, userData);
        slots.set(JAVA_INT, at + Sqe.CMD_OP, operation);
        slots.set(JAVA_LONG, at + Sqe.ADDR, address);
        slots.set(JAVA_INT, at + Sqe.LEN, length);
        return at + Sqe.CMD;
    }

    /** Prepares a completion for when {@code target} can be read. */
    public void poll(int target, long userData) {
        long at = slot(OP_POLL_ADD, target, userData);
        slots.set(JAVA_INT, at + Sqe.POLL_EVENTS, POLLIN);
    }

    private long slot(byte opcode, int target, long userData) {
        if (prepared - (int) INT.getAcquire(ring, sqHead) > slotMask) {
            throw new IllegalStateException("more submissions than the ring has room for");
        }
        long at = (long) (prepared & slotMask) * Sqe.SIZE;
        slots.asSlice(at, Sqe.SIZE).fill((byte) 0);
        slots.set(JAVA_BYTE, at + Sqe.OPCODE, opcode);
        slots.set(JAVA_INT, at + Sqe.FD, target);
        slots.set(JAVA_LONG, at + Sqe.USER_DATA, userData);
        prepared++;
        return at;
    }

    /**
     * Submits what is prepared and waits for {@code wanted} completions. Blocks if that is not 0.
     *
     * @return 0, or the negative error number, after which what was not submitted still is to be
     */
    public int enter(SystemCalls calls, int wanted) {
        INT.setRelease(ring, sqTail, prepared);
        long result;
        try {
            result = calls.checked((long) IO_URING_ENTER.invokeExact(
                    calls.state(), ENTER, fd, prepared - taken, wanted, ENTER_GETEVENTS, MemorySegment.NULL, 0L));
        } catch (Throwable e) {
            throw SystemCalls.unexpected(e);
        }
        if (result < 0) {
            return (int) result;
        }
        taken += (int) result;
        return 0;
    }

    /** Whether the kernel has taken all that was prepared. */
    public boolean submitted() {
        return taken == prepared;
    }

    /** Whether there is a completion to look at by {@link #userData} and {@link #result}. */
    public boolean completed() {
        return completion != (int) INT.getAcquire(ring, cqTail);
    }

    /** What the submission was given. */
    public long userData() {
        return ring.get(JAVA_LONG, cqe() + Cqe.USER_DATA);
    }

    /** 0 or more, or a negative error number. */
    public int result() {
        return ring.get(JAVA_INT, cqe() + Cqe.RES);
    }

    /** The completion has been seen. */
    public void next() {
        INT.setRelease(ring, cqHead, ++completion);
    }

    private long cqe() {
        return cqes + (long) (completion & completionMask) * Cqe.SIZE;
    }

    /** Gives it back. Commands still under way are cancelled, at some time after this returned. */
    public void close(SystemCalls calls) {
        sqes.close(calls);
        rings.close(calls);
        calls.close(fd);
    }
}
