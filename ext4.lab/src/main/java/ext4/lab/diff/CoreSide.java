// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.MountOptions;
import ext4.lab.names.Umask;
import ext4.lab.stack.Stack;
import java.nio.file.Path;

/** This project's filesystem in this process; each mount has the next orphan strategy. */
final class CoreSide implements Side {
    private final int umask = Umask.ofThisProcess();
    private int mounts;
    private BlockDevice device;
    private CoreFileSystem fs;
    private CoreCalls calls;

    @Override
    public void mount(Path image) {
        device = Stack.open(image, false);
        fs = Stack.mount(device, MountOptions.DEFAULTS, Stack.STRATEGIES.get(mounts++ % Stack.STRATEGIES.size()));
        calls = new CoreCalls(fs, umask);
    }

    @Override
    public Calls calls() {
        return calls;
    }

    @Override
    public void unmount() {
        if (device != null) {
            if (calls != null) {
                calls.close();
                calls = null;
                fs.close();
            }
            device.close();
            device = null;
        }
    }
}
