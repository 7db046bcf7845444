// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import ext4.api.block.BlockDevice;
import ext4.api.block.BlockDeviceProvider;
import ext4.api.fs.DeviceException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/** Devices that another provider opens, which fail or keep a read waiting when the test wants it. */
final class PlayedDevices implements BlockDeviceProvider {
    /** What the names of its devices begin with. */
    static final String SCHEME = "played:";

    private final BlockDeviceProvider real;
    private volatile boolean readsFail;
    private volatile boolean writesFail;
    /** A permit for each read that is to wait. */
    private final Semaphore toWait = new Semaphore(0);

    private volatile CountDownLatch inside = new CountDownLatch(0);
    private volatile CountDownLatch end = new CountDownLatch(0);

    PlayedDevices(BlockDeviceProvider real) {
        this.real = real;
    }

    /** Whether reads fail from now on. */
    void failReads(boolean fail) {
        readsFail = fail;
    }

    /** Whether writes and flushes fail from now on. */
    void failWrites(boolean fail) {
        writesFail = fail;
    }

    /** The next read of anybody waits; {@link #awaitReader} returns when it does. */
    void keepOneReadWaiting() {
        if (end.getCount() == 0) {
            end = new CountDownLatch(1);
        }
        inside = new CountDownLatch(1);
        toWait.release();
    }

    void awaitReader() throws InterruptedException {
        inside.await();
    }

    /** Lets all reads go that wait. */
    void letGo() {
        end.countDown();
    }

    @Override
    public boolean handles(String spec) {
        return spec.startsWith(SCHEME);
    }

    @Override
    public BlockDevice open(String spec, boolean readOnly) {
        return new Played(real.open(spec.substring(SCHEME.length()), readOnly));
    }

    private void beforeRead(String name) {
        if (toWait.tryAcquire()) {
            inside.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        if (readsFail) {
            throw new DeviceException(name + ": planned failure of a read");
        }
    }

    private void beforeWrite(String name) {
        if (writesFail) {
            throw new DeviceException(name + ": planned failure of a write");
        }
    }

    private final class Played implements BlockDevice {
        private final BlockDevice device;

        Played(BlockDevice device) {
            this.device = device;
        }

        @Override
        public String name() {
            return device.name();
        }

        @Override
        public long size() {
            return device.size();
        }

        @Override
        public boolean readOnly() {
            return device.readOnly();
        }

        @Override
        public void read(long offset, ByteBuffer dst) {
            beforeRead(name());
            device.read(offset, dst);
        }

        @Override
        public void write(long offset, ByteBuffer src) {
            beforeWrite(name());
            device.write(offset, src);
        }

        @Override
        public void flush() {
            beforeWrite(name());
            device.flush();
        }

        @Override
        public void discard(long offset, long length) {
            beforeWrite(name());
            device.discard(offset, length);
        }

        @Override
        public void zero(long offset, long length) {
            beforeWrite(name());
            device.zero(offset, length);
        }

        @Override
        public void close() {
            device.close();
        }
    }
}
