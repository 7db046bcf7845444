// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.osgi.framework.Bundle;
import org.osgi.framework.wiring.BundleWiring;

/** Watches that the class loader of a bundle that is gone is collected. */
final class ClassLoaders {
    /** A compiler of the virtual machine holds the classes of what it compiles, for seconds where processors are busy. */
    private static final long PATIENCE_MILLIS = 60_000;

    private static final long WAIT_MILLIS = 100;

    private ClassLoaders() {}

    /** A class loader that is watched without being held. */
    static final class Watched {
        private final ReferenceQueue<ClassLoader> queue = new ReferenceQueue<>();
        private final WeakReference<ClassLoader> loader;

        private Watched(ClassLoader loader) {
            this.loader = new WeakReference<>(loader, queue);
        }

        /** Collects garbage until the class loader is gone; the caller's stack must not hold an object of it. */
        void assertCollected() throws InterruptedException {
            long deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
            while (!loader.refersTo(null) && System.currentTimeMillis() < deadline) {
                System.gc();
                queue.remove(WAIT_MILLIS);
            }
            assertThat(loader.refersTo(null))
                    .as("the old class loader is collected")
                    .isTrue();
        }
    }

    /** Watches the class loader of a bundle as it is now. */
    static Watched of(Bundle bundle) {
        return new Watched(bundle.adapt(BundleWiring.class).getClassLoader());
    }

    /** Watches the class loader of an object's class. */
    static Watched of(Object object) {
        return new Watched(object.getClass().getClassLoader());
    }
}
