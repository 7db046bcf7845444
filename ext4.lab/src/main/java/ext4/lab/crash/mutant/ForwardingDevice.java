// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.mutant;

import ext4.api.block.BlockDevice;
import java.nio.ByteBuffer;

/** A device that does what another does. */
class ForwardingDevice implements BlockDevice {
    final BlockDevice device;

    ForwardingDevice(BlockDevice device) {
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
    public void close() {
        device.close();
    }
}
