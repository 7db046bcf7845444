// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.mutant;

import ext4.api.block.BlockDevice;
import java.util.concurrent.atomic.AtomicInteger;

/** Every other flush does nothing. */
final class SkippedFlush extends ForwardingDevice {
    private final AtomicInteger flushes = new AtomicInteger();

    SkippedFlush(BlockDevice device) {
        super(device);
    }

    @Override
    public void flush() {
        if (flushes.incrementAndGet() % 2 == 0) {
            device.flush();
        }
    }
}
