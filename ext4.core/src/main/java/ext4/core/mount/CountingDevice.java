// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.block.BlockDevice;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/** Counts what is written through it: by the journal, in large requests. */
final class CountingDevice implements BlockDevice {
    private final BlockDevice device;
    private final LongAdder written = new LongAdder();

    CountingDevice(BlockDevice device) {
        this.device = device;
    }

    /** Bytes. */
    long bytesWritten() {
        return written.sum();
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
        device.read(offset, dst);
    }

    @Override
    public void write(long offset, ByteBuffer src) {
        written.add(src.remaining());
        device.write(offset, src);
    }

    @Override
    public void flush() {
        device.flush();
    }

    @Override
    public void discard(long offset, long length) {
        device.discard(offset, length);
    }

    @Override
    public void zero(long offset, long length) {
        device.zero(offset, length);
    }

    @Override
    public void close() {
        device.close();
    }
}
