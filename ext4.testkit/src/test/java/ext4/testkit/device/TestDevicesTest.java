// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.device;

import ext4.api.block.BlockDevice;
import org.junit.jupiter.api.Nested;

/** The devices of this kit keep the contract themselves. */
class TestDevicesTest {
    @Nested
    class OfAnArray extends BlockDeviceContract {
        @Override
        protected BlockDevice create(long size) {
            return new ArrayDevice(new byte[(int) size]);
        }
    }

    @Nested
    class ThatRecords extends BlockDeviceContract {
        @Override
        protected BlockDevice create(long size) {
            RecordingDevice device = new RecordingDevice(new ArrayDevice(new byte[(int) size]));
            device.start();
            return device;
        }
    }

    @Nested
    class ThatMayFail extends BlockDeviceContract {
        @Override
        protected BlockDevice create(long size) {
            return new FailingDevice(new ArrayDevice(new byte[(int) size]));
        }
    }
}
