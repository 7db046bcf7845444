// SPDX-License-Identifier: Apache-2.0
package ext4.device;

import ext4.api.block.BlockDevice;
import ext4.testkit.device.BlockDeviceContract;
import ext4.testkit.device.DurableBlockDeviceContract;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Each device of this module keeps the contract. */
class DeviceContractsTest {
    @Nested
    class OfAnImageFile extends DurableBlockDeviceContract {
        @TempDir
        Path dir;

        private Path image;

        @Override
        protected BlockDevice create(long size) throws IOException {
            image = Files.createTempFile(dir, "image", null);
            try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
                file.setLength(size);
            }
            return reopen(false);
        }

        @Override
        protected BlockDevice reopen(boolean readOnly) {
            return new FileBlockDeviceProvider().open(image.toString(), readOnly);
        }
    }

    @Nested
    class InMemory extends BlockDeviceContract {
        @Override
        protected BlockDevice create(long size) {
            return new MemoryBlockDevice("memory", size);
        }
    }

    @Nested
    class OverAnother extends BlockDeviceContract {
        @Override
        protected BlockDevice create(long size) {
            BlockDevice below = new MemoryBlockDevice("below", size);
            byte[] bytes = new byte[(int) size];
            new Random(size).nextBytes(bytes);
            below.write(0, ByteBuffer.wrap(bytes));
            return new OverlayBlockDevice(below, 2 * size);
        }
    }
}
