// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import java.io.IOException;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.cm.ConfigurationEvent;
import org.osgi.service.cm.ConfigurationListener;

/**
 * Waits for File Install to be done with a change. It hears of each change of a configuration as an event, some time
 * later, and then writes the file anew or removes it: a test that edits the file before that may lose its edit. Events
 * are delivered one after the other, so when one sent afterwards is here, everybody is done with those before it.
 */
final class ConfigurationEvents implements ConfigurationListener, AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;
    private static final String MARK = "ext4.itest.mark";

    private final LinkedBlockingQueue<String> changed = new LinkedBlockingQueue<>();
    private final ServiceRegistration<ConfigurationListener> registration;
    private final Configuration mark;
    private int marks;

    ConfigurationEvents(BundleContext context, ConfigurationAdmin configurations) throws IOException {
        registration = context.registerService(ConfigurationListener.class, this, null);
        mark = configurations.getConfiguration(MARK, "?");
    }

    @Override
    public void configurationEvent(ConfigurationEvent event) {
        if (event.getType() == ConfigurationEvent.CM_LOCATION_CHANGED) {
            return; // says who reads it, not what it says
        }
        changed.add(event.getFactoryPid() == null ? event.getPid() : event.getFactoryPid());
    }

    /** Returns when a configuration of that factory has changed or ended, and all have heard of it. */
    void await(String factoryPid) throws IOException, InterruptedException {
        take(factoryPid);
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put("number", ++marks);
        mark.update(properties);
        take(MARK);
    }

    private void take(String pid) throws InterruptedException {
        String next;
        do {
            next = changed.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("no event of " + pid);
            }
        } while (!next.equals(pid));
    }

    @Override
    public void close() {
        registration.unregister();
    }
}
