// SPDX-License-Identifier: Apache-2.0
package ext4.journal;

import ext4.api.block.BlockDevice;
import ext4.api.fs.DeviceException;
import java.nio.ByteBuffer;

/** A device over one array, which a test can look at and copy. */
class ArrayDevice implements BlockDevice {
    final byte[] bytes;

    ArrayDevice(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public String name() {
        return "array";
    }

    @Override
    public long size() {
        return bytes.length;
    }

    @Override
    public boolean readOnly() {
        return false;
    }

    @Override
    public void read(long offset, ByteBuffer dst) {
        check(offset, dst.remaining());
        dst.put(bytes, (int) offset, dst.remaining());
    }

    @Override
    public void write(long offset, ByteBuffer src) {
        check(offset, src.remaining());
        src.get(bytes, (int) offset, src.remaining());
    }

    private void check(long offset, int length) {
        if (offset < 0 || offset + length > bytes.length) {
            throw new DeviceException("outside the device: byte " + offset + ", length " + length);
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
