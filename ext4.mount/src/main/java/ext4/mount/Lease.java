// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.block.BlockDevice;
import ext4.api.fs.DeviceException;
import java.nio.ByteBuffer;

/**
 * A core's way to the device. It is taken from a core that is no longer to touch the device: one that took too long to take
 * over, or one that was replaced. So whatever such a core still does, two of them never write at the same time.
 */
final class Lease implements BlockDevice {
    private final BlockDevice device;
    /** Whether calls are no longer counted, since the core that has it is the one at work. */
    private volatile boolean kept;

    private volatile boolean revoked;
    /** Counted calls in the device. Guarded by this. */
    private int running;

    /** @param kept whether its core is at work already, so that {@link #revoke} won't have to wait for calls */
    Lease(BlockDevice device, boolean kept) {
        this.device = device;
        this.kept = kept;
    }

    /** The core that has it has taken over. */
    void keep() {
        kept = true;
    }

    /** Lets no call through from now on, and returns when no counted one is in the device. */
    synchronized void revoke() throws InterruptedException {
        revoked = true;
        while (running > 0) {
            wait();
        }
    }

    /** Returns whether the call is counted. */
    private boolean enter() {
        if (kept) {
            refuseIfRevoked();
            return false;
        }
        synchronized (this) {
            refuseIfRevoked();
            running++;
            return true;
        }
    }

    private void refuseIfRevoked() {
        if (revoked) {
            throw new DeviceException(device.name() + ": another core has taken it over");
        }
    }

    private void leave(boolean counted) {
        if (counted) {
            synchronized (this) {
                running--;
                notifyAll();
            }
        }
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
        boolean counted = enter();
        try {
            device.read(offset, dst);
        } finally {
            leave(counted);
        }
    }

    @Override
    public void write(long offset, ByteBuffer src) {
        boolean counted = enter();
        try {
            device.write(offset, src);
        } finally {
            leave(counted);
        }
    }

    @Override
    public void flush() {
        boolean counted = enter();
        try {
            device.flush();
        } finally {
            leave(counted);
        }
    }

    @Override
    public void discard(long offset, long length) {
        boolean counted = enter();
        try {
            device.discard(offset, length);
        } finally {
            leave(counted);
        }
    }

    @Override
    public void zero(long offset, long length) {
        boolean counted = enter();
        try {
            device.zero(offset, length);
        } finally {
            leave(counted);
        }
    }

    /** The device is the mount's: a core closes nothing. */
    @Override
    public void close() {}
}
