// SPDX-License-Identifier: Apache-2.0
package ext4.observe;

import ext4.api.mount.Mount;
import java.lang.management.ManagementFactory;
import java.util.IdentityHashMap;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers each mount in the platform's MBean server for as long as it is configured, and leaves none behind. */
@Component(
        service = {},
        immediate = true)
public final class JmxMounts {
    private static final Logger LOG = LoggerFactory.getLogger(JmxMounts.class);

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    /** Guarded by this. */
    private final Map<Mount, ObjectName> names = new IdentityHashMap<>();

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    synchronized void bindMount(Mount mount) {
        try {
            ObjectName name = name(mount.mountpoint());
            server.registerMBean(new MountBean(mount), name);
            names.put(mount, name);
        } catch (JMException e) {
            // two configurations of one mount point: the first is shown
            LOG.warn("{} is not shown in JMX: {}", mount.mountpoint(), e.getMessage());
        }
    }

    synchronized void unbindMount(Mount mount) {
        unregister(names.remove(mount));
    }

    @Deactivate
    synchronized void end() {
        names.values().forEach(this::unregister);
        names.clear();
    }

    private void unregister(ObjectName name) {
        if (name == null) {
            return;
        }
        try {
            server.unregisterMBean(name);
        } catch (JMException e) {
            LOG.warn("{} stays in JMX: {}", name, e.getMessage());
        }
    }

    /** The name of the mount on {@code mountpoint}. */
    static ObjectName name(String mountpoint) throws JMException {
        return new ObjectName("ext4:type=Mount,mountpoint=" + ObjectName.quote(String.valueOf(mountpoint)));
    }
}
