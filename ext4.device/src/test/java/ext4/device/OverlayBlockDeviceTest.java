// SPDX-License-Identifier: Apache-2.0
package ext4.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.DeviceException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OverlayBlockDeviceTest {
    private static final int SIZE = 50_000;

    private final MemoryBlockDevice below = new MemoryBlockDevice("below", SIZE);

    @Test
    void readsWhatWasWrittenOrWhatIsBelowAndLeavesThatAlone() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] model = new byte[SIZE];
        random.nextBytes(model);
        below.write(0, ByteBuffer.wrap(model));
        byte[] before = model.clone();
        OverlayBlockDevice device = new OverlayBlockDevice(below, SIZE * 2);
        for (int i = 0; i < 2000; i++) {
            int offset = random.nextInt(SIZE);
            int length = Math.min(random.nextInt(10_000), SIZE - offset);
            switch (random.nextInt(4)) {
                case 0 -> {
                    byte[] bytes = new byte[length / 8];
                    random.nextBytes(bytes);
                    device.write(offset, ByteBuffer.wrap(bytes));
                    System.arraycopy(bytes, 0, model, offset, bytes.length);
                }
                case 1 -> {
                    device.zero(offset, length / 8);
                    Arrays.fill(model, offset, offset + length / 8, (byte) 0);
                }
                default -> {
                    ByteBuffer read = ByteBuffer.allocate(length);
                    device.read(offset, read);
                    assertThat(read.array())
                            .as("seed %d, step %d", seed, i)
                            .isEqualTo(Arrays.copyOfRange(model, offset, offset + length));
                }
            }
        }
        ByteBuffer after = ByteBuffer.allocate(SIZE);
        below.read(0, after);
        assertThat(after.array()).isEqualTo(before);
    }

    @Test
    void takesOnlySoMuchMemory() {
        OverlayBlockDevice device = new OverlayBlockDevice(below, 8192);
        device.write(0, ByteBuffer.allocate(8192));
        device.write(100, ByteBuffer.allocate(100));
        assertThatThrownBy(() -> device.write(8192, ByteBuffer.allocate(1)))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("kept in memory");
        assertThatThrownBy(() -> device.write(SIZE, ByteBuffer.allocate(1))).isInstanceOf(DeviceException.class);
    }
}
