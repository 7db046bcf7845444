// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.MountOptions;
import ext4.api.fs.MountPoint;
import ext4.api.fs.TransportSession;
import ext4.fuse.FuseTransport;
import ext4.lab.stack.Stack;
import java.nio.file.Path;
import java.util.List;

/** This project's filesystem through {@code /dev/fuse}. */
final class FuseSide implements Side {
    private static final MountOptions OPTIONS =
            new MountOptions(false, false, false, MountOptions.Atime.NOATIME, 0, true, null, false);

    private final Path directory;
    private int mounts;
    private BlockDevice device;
    private CoreFileSystem fs;
    private TransportSession session;
    private MountedCalls calls;

    FuseSide(Ground ground) {
        directory = ground.mountpoint("fuse");
    }

    @Override
    public void mount(Path image) {
        device = Stack.open(image, false);
        fs = Stack.mount(device, OPTIONS, Stack.STRATEGIES.get(mounts++ % Stack.STRATEGIES.size()));
        session = new FuseTransport()
                .mount(new MountPoint(image.toString(), directory.toString(), false, true, List.of("noatime")), fs);
        calls = new MountedCalls(directory, false);
    }

    @Override
    public Calls calls() {
        return calls;
    }

    @Override
    public void unmount() {
        if (calls != null) {
            calls.close();
            calls = null;
        }
        if (session != null) {
            session.close();
            session = null;
        }
        if (fs != null) {
            fs.close();
            fs = null;
        }
        if (device != null) {
            device.close();
            device = null;
        }
    }
}
