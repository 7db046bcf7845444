// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import ext4.api.mount.MountException;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ext4 status}: features, strategy, journal state and counters of a running mount. */
@Command(name = "status", description = "Shows the state of a mount.", mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "MOUNTPOINT", description = "Where it is mounted.")
    private String mountpoint;

    @Override
    public Integer call() throws Failure, MountException, IOException {
        Places.control(mountpoint).ask("status", System.out::println);
        return 0;
    }
}
