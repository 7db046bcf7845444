// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.container;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.osgi.framework.BundleException;

/** The container of {@code ext4 run}: mounts come from files of a folder, a shell on the terminal if wanted. */
public final class RunContainer {
    /** Up to File Install. */
    private static final int HEADLESS_LEVEL = 9;
    /** With the shell that reads the terminal. */
    private static final int SHELL_LEVEL = 10;

    private final Path home;
    private final Path configurations;
    private final Path bundles;
    private final Path storage;
    private final boolean shell;

    /**
     * @param home folder with lib and cnf
     * @param configurations folder that is watched for mounts
     * @param bundles folder that is watched for bundles
     * @param storage the framework's own folder, kept; null for a temporary one
     * @param shell whether commands are read from standard input
     */
    public RunContainer(Path home, Path configurations, Path bundles, Path storage, boolean shell) {
        this.home = home;
        this.configurations = configurations;
        this.bundles = bundles;
        this.storage = storage;
        this.shell = shell;
    }

    /** Serves until the shell ends or the process is told to end, and everything is unmounted and flushed. */
    public int serve() throws IOException, InterruptedException {
        Map<String, String> own = new HashMap<>();
        own.put("ext4.command", "run");
        own.put("felix.fileinstall.dir", configurations + "," + bundles);
        Host host;
        try {
            host = Host.start(
                    new Host.Plan(
                            home,
                            storage,
                            new String[] {"framework.properties", "run.properties"},
                            shell ? SHELL_LEVEL : HEADLESS_LEVEL,
                            own),
                    context -> {});
        } catch (BundleException e) {
            System.err.println("ext4: run: the container does not start: " + e.getMessage());
            return 1;
        }
        host.awaitEnd();
        host.stop(); // removes the storage
        return 0;
    }
}
