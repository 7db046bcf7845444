// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import java.util.Set;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.BundleListener;
import org.osgi.framework.Constants;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says what to do when a bundle is updated that can't be replaced while something is mounted. */
@Component(
        service = {},
        immediate = true)
public final class FixedBundles implements BundleListener {
    private static final Logger LOG = LoggerFactory.getLogger(FixedBundles.class);
    private static final String RESTART =
            "the planned restart, ./ext4 restart MOUNTPOINT, takes the new one into use and fails no call";
    /** Contracts, system calls, logging: everything that is mounted uses their classes as they are. */
    private static final Set<String> FIXED = Set.of(
            "ext4.api",
            "ext4.sys",
            "slf4j.api",
            "ch.qos.logback.core",
            "ch.qos.logback.classic",
            "org.apache.aries.spifly.dynamic.bundle");

    private final BundleContext context;

    @Activate
    public FixedBundles(BundleContext context) {
        this.context = context;
        context.addBundleListener(this);
    }

    @Override
    public void bundleChanged(BundleEvent event) {
        Bundle bundle = event.getBundle();
        boolean framework = bundle.getBundleId() == Constants.SYSTEM_BUNDLE_ID;
        if (event.getType() == BundleEvent.UPDATED && (framework || FIXED.contains(bundle.getSymbolicName()))) {
            LOG.warn(
                    "{} was updated; it is not replaced while something is mounted, which goes on with the old one: {}",
                    bundle.getSymbolicName(),
                    RESTART);
        }
    }

    /** This bundle stops: for an update, or for good. */
    @Deactivate
    void deactivate() {
        context.removeBundleListener(this);
        if (context.getBundle(Constants.SYSTEM_BUNDLE_ID).getState() == Bundle.ACTIVE) {
            LOG.warn(
                    "{} stops, and everything is unmounted; if it is to be updated, {}",
                    context.getBundle().getSymbolicName(),
                    RESTART);
        }
    }
}
