// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.startlevel.BundleStartLevel;

/** The bundles of a folder: {@code lib/<start level>/*.jar}, used where they lie. */
final class Bundles {
    private final Path lib;

    Bundles(Path lib) {
        this.lib = lib;
    }

    /** Installs all and marks them started; they start when the framework reaches their level. */
    void installInto(BundleContext context) throws IOException, BundleException {
        for (Path level : children(lib)) {
            for (Path jar : children(level)) {
                Bundle bundle = context.installBundle("reference:" + jar.toUri());
                bundle.adapt(BundleStartLevel.class)
                        .setStartLevel(Integer.parseInt(level.getFileName().toString()));
                if (!isFragment(bundle)) {
                    bundle.start();
                }
            }
        }
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
