// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.device;

import ext4.api.block.BlockDevice;

/** The contract over a medium that outlives the device; a mutant says which device. */
abstract class CachedDeviceContract extends DurableBlockDeviceContract {
    private byte[] medium;

    abstract BlockDevice device(byte[] bytes, boolean readOnly);

    @Override
    protected BlockDevice create(long size) {
        medium = new byte[(int) size];
        return device(medium, false);
    }

    @Override
    protected BlockDevice reopen(boolean readOnly) {
        return device(medium, readOnly);
    }
}
