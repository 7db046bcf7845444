// SPDX-License-Identifier: Apache-2.0
package ext4.lab.agent;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.osgi.framework.wiring.BundleWiring;

/** Class loaders of replaced bundles, which must be collected. Belongs to one thread. */
final class Watch {
    private static final int TRIES = 60;
    private static final long WAIT_MILLIS = TimeUnit.SECONDS.toMillis(9) / TRIES;

    private final List<Watched> all = new ArrayList<>();
    private final ReferenceQueue<ClassLoader> queue = new ReferenceQueue<>();
    private int watched;

    /** A class loader that is watched without being held. */
    private record Watched(String what, WeakReference<ClassLoader> loader) {}

    /** Watches the class loader that the bundle has now. */
    void add(String what, Bundle bundle) {
        BundleWiring wiring = bundle.adapt(BundleWiring.class);
        watched++;
        all.add(new Watched(what + " #" + watched, new WeakReference<>(wiring.getClassLoader(), queue)));
    }

    /** How many were ever watched. */
    int watched() {
        return watched;
    }

    /** Collects garbage and names those that are still there. */
    List<String> stay() throws InterruptedException {
        for (int i = 0; i < TRIES; i++) {
            System.gc();
            all.removeIf(each -> each.loader.refersTo(null));
            if (all.isEmpty()) {
                break;
            }
            queue.remove(WAIT_MILLIS);
        }
        return all.stream().map(Watched::what).toList();
    }
}
