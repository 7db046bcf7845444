// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.startlevel.BundleStartLevel;

/** The bundles of a folder: {@code lib/<start level>/*.jar}, used where they lie. */
final class Bundles {
    private static final String REFERENCE = "reference:";

    private final Path lib;
    private final int highest;

    /** Those up to a start level. */
    Bundles(Path lib, int highest) {
        this.lib = lib;
        this.highest = highest;
    }

    /**
     * Installs all and marks them started; they start when the framework reaches their level. In a storage that was
     * kept, what is there follows the folder: newer jars are taken over, those that are gone are uninstalled.
     */
    void installInto(BundleContext context) throws IOException, BundleException {
        Set<String> wanted = new HashSet<>();
        for (Path folder : children(lib)) {
            int level = Integer.parseInt(folder.getFileName().toString());
            if (level <= highest) {
                for (Path jar : children(folder)) {
                    wanted.add(install(context, jar, level));
                }
            }
        }
        for (Bundle bundle : context.getBundles()) {
            if (bundle.getLocation().startsWith(REFERENCE + lib.toUri()) && !wanted.contains(bundle.getLocation())) {
                bundle.uninstall();
            }
        }
    }

    private static String install(BundleContext context, Path jar, int level) throws IOException, BundleException {
        String location = REFERENCE + jar.toUri();
        Bundle bundle = context.getBundle(location);
        if (bundle == null) {
            bundle = context.installBundle(location);
        } else if (Files.getLastModifiedTime(jar).toMillis() > bundle.getLastModified()) {
            bundle.update();
        }
        bundle.adapt(BundleStartLevel.class).setStartLevel(level);
        if (!isFragment(bundle)) {
            bundle.start();
        }
        return location;
    }

    /** Those that should be active and are not. */
    static List<Bundle> notStarted(BundleContext context) {
        return Arrays.stream(context.getBundles())
                .filter(bundle -> !isFragment(bundle) && bundle.getState() < Bundle.STARTING)
                .toList();
    }

    private static boolean isFragment(Bundle bundle) {
        return bundle.getHeaders().get(Constants.FRAGMENT_HOST) != null;
    }

    private static List<Path> children(Path folder) throws IOException {
        try (Stream<Path> paths = Files.list(folder)) {
            return paths.sorted().toList();
        }
    }
}
