// SPDX-License-Identifier: Apache-2.0
package ext4.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.DeviceException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class MemoryBlockDeviceTest {
    @Test
    void aTerabyteTakesOnlyWhatWasWritten() {
        MemoryBlockDevice device = new MemoryBlockDevice("memory", 1L << 40);
        device.write((1L << 40) - 3, ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(device.allocatedBytes()).isEqualTo(1 << 16);
        device.discard((1L << 40) - (1 << 16), 1 << 16);
        assertThat(device.allocatedBytes()).isZero();
        assertThatThrownBy(() -> device.read((1L << 40) - 3, ByteBuffer.allocate(4)))
                .isInstanceOf(DeviceException.class);
    }
}
