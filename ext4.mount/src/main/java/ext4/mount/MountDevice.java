// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.block.BlockDevice;
import ext4.api.block.BlockDeviceProvider;
import java.nio.ByteBuffer;

/** The device of a mount. What was mounted read-only is opened anew to be written; the core goes on with this one. */
final class MountDevice implements BlockDevice {
    private final String image;
    /** Changed only while nothing uses it. */
    private volatile BlockDevice device;

    MountDevice(BlockDeviceProvider provider, String image, boolean readOnly) {
        this.image = image;
        device = provider.open(image, readOnly);
    }

    /** Opens it to be written, or throws and leaves it as it was. Nothing uses it meanwhile. */
    void reopenForWriting(BlockDeviceProvider provider) {
        device.close(); // it keeps out those who write
        try {
            device = provider.open(image, false);
        } catch (RuntimeException e) {
            device = provider.open(image, true);
            throw e;
        }
    }

    /** Lets it go, so that another process can have it. Nothing uses it meanwhile. */
    void release() {
        device.close();
    }

    /** Opens it as before after {@link #release}. */
    void reopen(BlockDeviceProvider provider, boolean readOnly) {
        device = provider.open(image, readOnly);
    }

    /** Opens it for reading only again. Nothing uses it meanwhile. */
    void reopenForReading(BlockDeviceProvider provider) {
        device.close();
        device = provider.open(image, true);
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
