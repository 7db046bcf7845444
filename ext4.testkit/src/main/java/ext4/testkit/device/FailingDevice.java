// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.device;

import ext4.api.block.BlockDevice;
import ext4.api.fs.DeviceException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/** Passes everything on until a chosen operation, counted over reads, writes and flushes, and fails from then on or once. */
public final class FailingDevice implements BlockDevice {
    private final BlockDevice base;
    private final AtomicLong operations = new AtomicLong();
    private volatile long failAt = Long.MAX_VALUE;
    private volatile boolean once;

    /** Never fails until it is told to. */
    public FailingDevice(BlockDevice base) {
        this.base = base;
    }

    /** The operation {@code ahead} operations from now fails (0 is the next); all after it too unless {@code justOnce}. */
    public void failIn(long ahead, boolean justOnce) {
        once = justOnce;
        failAt = operations.get() + ahead;
    }

    /** Works again. */
    public void heal() {
        failAt = Long.MAX_VALUE;
    }

    /** Operations so far. */
    public long operations() {
        return operations.get();
    }

    private void count(String what, long offset) {
        long operation = operations.getAndIncrement();
        if (operation == failAt || operation > failAt && !once) {
            throw new DeviceException(name() + ": " + what + " at byte " + offset + ": planned failure");
        }
    }

    @Override
    public String name() {
        return base.name();
    }

    @Override
    public long size() {
        return base.size();
    }

    @Override
    public boolean readOnly() {
        return base.readOnly();
    }

    @Override
    public void read(long offset, ByteBuffer dst) {
        count("read", offset);
        base.read(offset, dst);
    }

    @Override
    public void write(long offset, ByteBuffer src) {
        count("write", offset);
        base.write(offset, src);
    }

    @Override
    public void flush() {
        count("flush", 0);
        base.flush();
    }

    @Override
    public void close() {
        base.close();
    }
}
