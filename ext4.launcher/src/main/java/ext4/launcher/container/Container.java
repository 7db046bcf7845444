// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.container;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;

/** A framework with the bundles of the home folder and one mount, for as long as that lasts. */
public final class Container {
    /** The last start level that a mount needs; the shell and the folders of {@code ext4 run} are above it. */
    private static final int LEVEL = 7;

    private final Path home;
    private final Map<String, Object> asked;
    private final CompletableFuture<End> ended = new CompletableFuture<>();

    /** How the mount ended: exit status, and the reason or null. */
    private record End(int status, String reason) {}

    /**
     * @param home folder with lib and cnf
     * @param asked properties of the mount, by the names of {@link ext4.api.mount.Mount}
     */
    public Container(Path home, Map<String, Object> asked) {
        this.home = home;
        this.asked = asked;
    }

    /** Serves the mount until it is unmounted, or the process is told to end, and everything is flushed. */
    public int serve() throws IOException {
        defaultProperty("ext4.log", "warn");
        defaultProperty("ext4.log.refused", "off"); // it is told below
        Host host;
        try {
            host = Host.start(
                    new Host.Plan(
                            home, null, new String[] {"framework.properties"}, LEVEL, Map.of("ext4.command", "mount")),
                    this::offer);
        } catch (BundleException e) {
            System.err.println("ext4: mount: the container does not start: " + e.getMessage());
            return 1;
        }
        if (!host.notStarted().isEmpty()) {
            // with a part of the container missing nobody might ever tell how the mount went
            System.err.println("ext4: mount: the container is not complete: " + String.join(", ", host.notStarted())
                    + " did not start");
            host.stop();
            return 1;
        }
        End end = ended.join();
        if (end.reason() != null) {
            System.err.println("ext4: mount: " + end.reason());
        }
        host.stop();
        return end.status();
    }

    private static void defaultProperty(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }

    /** Leaves what was asked for where the bundle ext4.control finds it. */
    private void offer(BundleContext context) {
        BiConsumer<Integer, String> end = (status, reason) -> ended.complete(new End(status, reason));
        Dictionary<String, Object> properties = new Hashtable<>(asked);
        properties.put("ext4.command", "mount");
        context.registerService(BiConsumer.class, end, properties);
    }
}
