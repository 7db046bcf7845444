// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import ext4.api.mount.MountException;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ext4 strategy}: shows or switches the orphan strategy of a running mount. */
@Command(
        name = "strategy",
        description = "Shows the orphan strategies of a mount, or switches to one while it is mounted.",
        mixinStandardHelpOptions = true)
final class StrategyCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "MOUNTPOINT", description = "Where it is mounted.")
    private String mountpoint;

    @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "The strategy to switch to.")
    private String name;

    @Override
    public Integer call() throws Failure, MountException, IOException {
        if (name != null && !name.matches("[^\\s]+")) {
            throw new Failure("'" + name + "' is not the name of a strategy");
        }
        Places.control(mountpoint).ask(name == null ? "strategy" : "strategy " + name, System.out::println);
        return 0;
    }
}
