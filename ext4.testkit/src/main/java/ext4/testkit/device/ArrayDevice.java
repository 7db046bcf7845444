// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.device;

import ext4.api.block.BlockDevice;
import ext4.api.fs.DeviceException;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A device over one array, which a test can look at and copy. What is written is durable at once. */
public class ArrayDevice implements BlockDevice {
    private final byte[] bytes;
    private volatile boolean closed;

    /** A device of these bytes, which it does not copy. */
    public ArrayDevice(byte[] bytes) {
        this.bytes = Objects.requireNonNull(bytes);
    }

    /** The bytes themselves. */
    public final byte[] bytes() {
        return bytes;
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
        check("read", offset, dst.remaining());
        dst.put(bytes, (int) offset, dst.remaining());
    }

    @Override
    public void write(long offset, ByteBuffer src) {
        check("write", offset, src.remaining());
        src.get(bytes, (int) offset, src.remaining());
    }

    @Override
    public void flush() {
        check("flush", 0, 0);
    }

    @Override
    public void close() {
        closed = true;
    }

    private void check(String operation, long offset, int length) {
        if (closed) {
            throw new DeviceException("array: " + operation + ": the device is closed");
        }
        if (offset < 0 || offset > bytes.length - length) {
            throw new DeviceException(
                    "array: " + operation + " outside the device: byte " + offset + ", length " + length);
        }
    }
}
