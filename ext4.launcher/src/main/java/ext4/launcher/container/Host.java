// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.container;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.felix.framework.FrameworkFactory;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.launch.Framework;

/** The framework of this process with the bundles of the home folder up to a start level. */
final class Host {
    private final Framework framework;
    private final Path storage;
    private final boolean temporary;

    private Host(Framework framework, Path storage, boolean temporary) {
        this.framework = framework;
        this.storage = storage;
        this.temporary = temporary;
    }

    /**
     * What a framework is started with.
     *
     * @param home folder with lib and cnf
     * @param storage the framework's own folder, kept; null for one that lives as long as the process
     * @param properties files of cnf, later ones win
     * @param level the start level: no bundle of a higher one is installed
     * @param own properties that win over all files
     */
    record Plan(Path home, Path storage, String[] properties, int level, Map<String, String> own) {}

    /**
     * Starts; whoever ends the process by a signal stops it in order.
     *
     * @param first is called before any bundle is installed
     */
    static Host start(Plan plan, Consumer<BundleContext> first) throws IOException, BundleException {
        JavaLogging.quiet();
        boolean temporary = plan.storage() == null;
        Path storage = temporary ? Files.createTempDirectory("ext4-") : plan.storage();
        Map<String, String> properties = properties(plan);
        properties.put(Constants.FRAMEWORK_STORAGE, storage.toString());
        properties.put(Constants.FRAMEWORK_BEGINNING_STARTLEVEL, Integer.toString(plan.level()));
        if (temporary) {
            properties.put(Constants.FRAMEWORK_STORAGE_CLEAN, Constants.FRAMEWORK_STORAGE_CLEAN_ONFIRSTINIT);
        }
        logging(properties);
        Host host = new Host(new FrameworkFactory().newFramework(properties), storage, temporary);
        try {
            host.framework.init();
            first.accept(host.framework.getBundleContext());
            new Bundles(plan.home().resolve("lib"), plan.level()).installInto(host.framework.getBundleContext());
            Runtime.getRuntime().addShutdownHook(new Thread(host::stop, "ext4 end"));
            host.framework.start();
        } catch (IOException | BundleException | RuntimeException e) {
            host.stop();
            throw e;
        }
        for (String bundle : host.notStarted()) {
            System.err.println("ext4: bundle " + bundle + " did not start");
        }
        return host;
    }

    /** Symbolic names of bundles that should be active and are not; the log says why. */
    List<String> notStarted() {
        return Bundles.notStarted(framework.getBundleContext()).stream()
                .map(Bundle::getSymbolicName)
                .toList();
    }

    private static Map<String, String> properties(Plan plan) throws IOException {
        Map<String, String> properties = new HashMap<>();
        for (String name : plan.properties()) {
            Properties file = new Properties();
            try (Reader reader =
                    Files.newBufferedReader(plan.home().resolve("cnf").resolve(name))) {
                file.load(reader);
            }
            for (String key : file.stringPropertyNames()) {
                properties.put(
                        key,
                        file.getProperty(key)
                                .replace("${ext4.home}", plan.home().toString()));
            }
        }
        properties.putAll(plan.own());
        return properties;
    }

    /** Logback asks the system, not the framework. */
    private static void logging(Map<String, String> properties) {
        String logging = properties.get("logback.configurationFile");
        if (logging != null && System.getProperty("logback.configurationFile") == null) {
            System.setProperty("logback.configurationFile", logging);
        }
    }

    /** Returns when the framework has stopped, whoever stopped it; a framework that restarts itself has not. */
    void awaitEnd() throws InterruptedException {
        FrameworkEvent event = framework.waitForStop(0);
        while (event.getType() == FrameworkEvent.STOPPED_UPDATE) {
            event = framework.waitForStop(0);
        }
    }

    /** Stops, which unmounts, and removes a temporary storage. Twice does no harm: a signal may come at any time. */
    synchronized void stop() {
        try {
            framework.stop();
            framework.waitForStop(0);
            if (temporary) {
                Storage.delete(storage);
            }
        } catch (BundleException | IOException e) {
            System.err.println("ext4: the container does not end well: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
