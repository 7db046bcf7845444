// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import ext4.api.block.BlockDevice;
import ext4.api.fs.DeviceException;
import ext4.format.superblock.Superblock;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A device that counts its operations and goes wrong at one of them, in one {@link Way}. Thread-safe. */
final class FaultDevice implements BlockDevice {
    /** What an operation is. */
    enum Kind {
        READ,
        WRITE,
        FLUSH
    }

    /** The one that went wrong. */
    record Hit(Kind kind, long offset) {}

    private static final long SLOW_ONCE_NANOS = 5_000_000;
    private static final long SLOW_NANOS = 200_000;

    private final Medium medium;
    private final Way way;
    private final long failAt;
    private final Random random; // guarded by this
    private final AtomicLong operations = new AtomicLong();
    private volatile Hit hit;
    private volatile boolean healed;

    /** A device that never goes wrong. */
    FaultDevice(Medium medium) {
        this(medium, Way.ERROR_ONCE, Long.MAX_VALUE, 0);
    }

    /** @param failAt the operation, from 0, at which it goes wrong */
    FaultDevice(Medium medium, Way way, long failAt, long seed) {
        this.medium = medium;
        this.way = way;
        this.failAt = failAt;
        random = new Random(seed);
    }

    /** Operations so far. */
    long operations() {
        return operations.get();
    }

    /** What went wrong first, or null. */
    Hit hit() {
        return hit;
    }

    /** It works again. */
    void heal() {
        healed = true;
    }

    /** The power fails: what was not flushed may be lost. */
    synchronized void lose() {
        medium.lose(random);
    }

    /** What becomes of an operation: how many of its bytes are done; less than all fails. */
    private int done(Kind kind, long offset, int length) {
        long number = operations.getAndIncrement();
        boolean first = number == failAt;
        if (first) {
            hit = new Hit(kind, offset);
            if (way == Way.GONE) {
                lose();
            }
        }
        Hit wrong = hit;
        if (wrong == null || healed || number < failAt) {
            return length;
        }
        boolean sameKind = kind == wrong.kind();
        return switch (way) {
            case ERROR_ONCE -> first ? -1 : length;
            case ERROR_ON -> sameKind ? -1 : length;
            case SHORT_ONCE -> first ? half(offset, length) : length;
            case SHORT_ON -> kind == Kind.READ == (wrong.kind() == Kind.READ) ? half(offset, length) : length;
            case SLOW_ONCE -> slow(first ? SLOW_ONCE_NANOS : 0, length);
            case SLOW_ON -> slow(SLOW_NANOS, length);
            case GONE, GONE_FOR_A_WHILE -> -1;
            case SMALLER -> offset + length > medium.size() / 2 ? -1 : length;
            case FULL -> kind == Kind.WRITE && !medium.provisioned(offset) ? -1 : length;
            case WRITE_PROTECTED -> kind == Kind.READ ? length : -1;
        };
    }

    /** Whole sectors, less than {@code length} in any case, and never half a superblock. */
    private static int half(long offset, int length) {
        if (length == 0) {
            return -1;
        }
        int half = length / 2 & -Medium.SECTOR;
        long end = offset + half;
        boolean tears = end > Superblock.BYTE_OFFSET && end < Superblock.BYTE_OFFSET + Superblock.SIZE;
        return tears ? (int) Math.max(0, Superblock.BYTE_OFFSET - offset) : half;
    }

    private int slow(long nanos, int length) {
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
        return length;
    }

    private DeviceException failure(String what, long offset) {
        String why = way == Way.FULL ? "No space left on device" : "the device " + way;
        return new DeviceException(name() + ": " + what + " at byte " + offset + ": " + why);
    }

    @Override
    public String name() {
        return "device";
    }

    @Override
    public long size() {
        return hit != null && way == Way.SMALLER ? medium.size() / 2 : medium.size();
    }

    @Override
    public boolean readOnly() {
        return false;
    }

    @Override
    public void read(long offset, ByteBuffer dst) {
        check("read", offset, dst.remaining());
        int length = dst.remaining();
        int done = done(Kind.READ, offset, length);
        if (done > 0) {
            medium.read(offset, dst, done);
        }
        if (done < length) {
            throw failure("read", offset);
        }
    }

    @Override
    public void write(long offset, ByteBuffer src) {
        check("write", offset, src.remaining());
        int length = src.remaining();
        int done = done(Kind.WRITE, offset, length);
        if (done > 0) {
            medium.write(offset, src, done);
        }
        if (done < length) {
            throw failure("write", offset);
        }
    }

    /** One that fails may have lost what it should have made durable. */
    @Override
    public void flush() {
        if (done(Kind.FLUSH, 0, 0) < 0) {
            if (way != Way.GONE_FOR_A_WHILE) {
                lose();
            }
            throw failure("flush", 0);
        }
        medium.flush();
    }

    @Override
    public void close() {
        // the medium stays
    }

    private void check(String what, long offset, int length) {
        if (offset < 0 || offset > medium.size() - length) {
            throw new DeviceException(
                    name() + ": " + what + " outside the device: byte " + offset + ", length " + length);
        }
    }
}
