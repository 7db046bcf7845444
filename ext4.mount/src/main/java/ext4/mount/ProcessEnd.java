// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unmounts when the process is told to end. Most launchers stop their framework then, and this bundle with it; one that
 * does not, as Equinox started by its own main class, would leave the mount points dead and the images to be recovered.
 */
@Component(
        service = {},
        immediate = true)
public final class ProcessEnd {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessEnd.class);

    private final Thread hook;

    @Activate
    public ProcessEnd(BundleContext context) {
        Bundle own = context.getBundle();
        hook = new Thread(() -> stop(own), "ext4 end of the process");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Ends all mounts, if the framework is not about to do the same. */
    private static void stop(Bundle own) {
        try {
            own.stop(Bundle.STOP_TRANSIENT); // it is to be started when the framework is next
        } catch (BundleException | IllegalStateException e) {
            LOG.debug("the framework stops this bundle itself", e);
        }
    }

    /** The hook holds this bundle's classes, and must not outlive it. */
    @Deactivate
    void deactivate() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            LOG.trace("the process ends, by the hook or beside it");
        }
    }
}
