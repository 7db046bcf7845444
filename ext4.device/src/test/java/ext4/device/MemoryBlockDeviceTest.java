// SPDX-License-Identifier: Apache-2.0
package ext4.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.DeviceException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MemoryBlockDeviceTest {
    @Test
    void behavesAsAByteArray() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] model = new byte[300_000];
        MemoryBlockDevice device = new MemoryBlockDevice("memory", model.length);
        for (int step = 0; step < 500; step++) {
            int offset = random.nextInt(model.length);
            int length = random.nextInt(model.length - offset + 1);
            byte[] bytes = new byte[length];
            if (random.nextInt(3) == 0) {
                device.zero(offset, length);
            } else {
                random.nextBytes(bytes);
                device.write(offset, ByteBuffer.wrap(bytes));
            }
            System.arraycopy(bytes, 0, model, offset, length);
            byte[] found = new byte[model.length];
            device.read(0, ByteBuffer.wrap(found));
            assertThat(found).as("seed %d step %d", seed, step).isEqualTo(model);
        }
    }

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
