// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import ext4.api.mount.MountException;
import ext4.control.socket.ControlClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ext4 umount}: returns when the image is flushed and clean and the serving process has ended. */
@Command(name = "umount", description = "Unmounts and waits until all is flushed.", mixinStandardHelpOptions = true)
public final class UmountCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "MOUNTPOINT", description = "Where it is mounted.")
    private String mountpoint;

    @Override
    public Integer call() throws Failure, MountException, IOException {
        unmount(Places.control(mountpoint));
        return 0;
    }

    /** Unmounts what {@code client} controls and waits for its process. */
    public static void unmount(ControlClient client) throws MountException, IOException {
        List<ProcessHandle> server = new ArrayList<>();
        client.ask("umount", pid -> ProcessHandle.of(Long.parseLong(pid)).ifPresent(server::add));
        server.forEach(process -> process.onExit().join());
    }
}
