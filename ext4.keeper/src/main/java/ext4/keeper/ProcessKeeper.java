// SPDX-License-Identifier: Apache-2.0
package ext4.keeper;

import ext4.api.fs.DeviceException;
import ext4.api.keep.Keep;
import ext4.api.keep.Keeper;
import ext4.sys.DescriptorSocket;
import ext4.sys.MemoryFile;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicBoolean;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** The keeper process that started this one. It keeps one mount. */
@Component(property = Keeper.NAME + "=" + Keeper.PROCESS)
public final class ProcessKeeper implements Keeper {
    /** Environment variable with the number of the descriptor that leads to the keeper. */
    public static final String DESCRIPTOR = "EXT4_KEEPER_FD";

    private final String descriptor;
    private final AtomicBoolean used = new AtomicBoolean();

    @Activate
    public ProcessKeeper() {
        this(System.getenv(DESCRIPTOR));
    }

    ProcessKeeper(String descriptor) {
        this.descriptor = descriptor;
    }

    @Override
    public Keep open(String mountpoint) {
        if (descriptor == null || !descriptor.matches("[0-9]{1,9}")) {
            throw new DeviceException(
                    "no keeper process started this one: mount with 'ext4 mount -o keep' without -f, or"
                            + " let a service manager keep it (keep=systemd)");
        }
        if (!used.compareAndSet(false, true)) {
            throw new DeviceException("the keeper process keeps one mount, and has one");
        }
        int fd = Integer.parseInt(descriptor);
        try (Arena arena = Arena.ofConfined()) {
            int result = MemoryFile.closeOnExec(new SystemCalls(arena), fd);
            if (result < 0) {
                throw new DeviceException("descriptor " + fd + " does not lead to a keeper process");
            }
        }
        return new ProcessKeep(new DescriptorSocket(fd), () -> used.set(false));
    }
}
