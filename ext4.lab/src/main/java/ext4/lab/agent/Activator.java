// SPDX-License-Identifier: Apache-2.0
package ext4.lab.agent;

import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Starts the agent in a process that the lab started, and nowhere else. */
public final class Activator implements BundleActivator {
    /** System property that says so. */
    public static final String PROPERTY = "ext4.lab.agent";

    @Override
    public void start(BundleContext context) {
        if (Boolean.getBoolean(PROPERTY)) {
            Thread.ofPlatform().daemon().name("ext4 lab agent").start(new Agent(context));
        }
    }

    @Override
    public void stop(BundleContext context) {
        // its thread ends with the process
    }
}
