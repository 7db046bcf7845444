// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.container;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Dictionary;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.felix.framework.FrameworkFactory;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;

/** A framework with the bundles of the home folder and one mount, for as long as that lasts. */
public final class Container {
    /** SPI Fly tells of its work on java.util.logging; kept, since a logger that nobody holds forgets its level. */
    private static final Logger WEAVER = Logger.getLogger("org.apache.aries.spifly");

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
    public int serve() throws IOException, InterruptedException {
        WEAVER.setLevel(Level.WARNING);
        Path storage = Files.createTempDirectory("ext4-");
        Framework framework = new FrameworkFactory().newFramework(properties(storage));
        Thread hook = new Thread(() -> stop(framework, storage), "ext4 end");
        try {
            framework.init();
            offer(framework);
            new Bundles(home.resolve("lib")).installInto(framework.getBundleContext());
            Runtime.getRuntime().addShutdownHook(hook);
            framework.start();
            for (Bundle bundle : Bundles.notStarted(framework.getBundleContext())) {
                System.err.println("ext4: bundle " + bundle.getSymbolicName() + " did not start");
            }
        } catch (BundleException e) {
            System.err.println("ext4: mount: the container does not start: " + e.getMessage());
            stop(framework, storage);
            return 1;
        }
        End end = ended.join();
        if (end.reason() != null) {
            System.err.println("ext4: mount: " + end.reason());
        }
        stop(framework, storage);
        return end.status();
    }

    /** Leaves what was asked for where the bundle ext4.control finds it. */
    private void offer(Framework framework) {
        BiConsumer<Integer, String> end = (status, reason) -> ended.complete(new End(status, reason));
        Dictionary<String, Object> properties = new Hashtable<>(asked);
        properties.put("ext4.command", "mount");
        framework.getBundleContext().registerService(BiConsumer.class, end, properties);
    }

    private Map<String, String> properties(Path storage) throws IOException {
        Properties file = new Properties();
        try (Reader reader = Files.newBufferedReader(home.resolve("cnf/framework.properties"))) {
            file.load(reader);
        }
        Map<String, String> properties = new HashMap<>();
        for (String name : file.stringPropertyNames()) {
            properties.put(name, file.getProperty(name).replace("${ext4.home}", home.toString()));
        }
        properties.put(Constants.FRAMEWORK_STORAGE, storage.toString());
        // logback asks the system, not the framework
        String logging = properties.get("logback.configurationFile");
        if (logging != null && System.getProperty("logback.configurationFile") == null) {
            System.setProperty("logback.configurationFile", logging);
        }
        if (System.getProperty("ext4.log") == null) {
            System.setProperty("ext4.log", "warn");
        }
        return properties;
    }

    /** Stops, which unmounts, and removes the storage. Twice does no harm: a signal may come at any time. */
    private static synchronized void stop(Framework framework, Path storage) {
        try {
            framework.stop();
            framework.waitForStop(0);
            Storage.delete(storage);
        } catch (BundleException | IOException e) {
            System.err.println("ext4: the container does not end well: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
