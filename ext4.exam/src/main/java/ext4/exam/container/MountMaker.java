// SPDX-License-Identifier: Apache-2.0
package ext4.exam.container;

import ext4.api.mount.Mount;
import ext4.exam.MountedImage;
import java.io.IOException;
import java.util.Dictionary;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Writes the mount's configuration and, when the mount has come up or failed, registers it for the test. */
@Component(
        service = {},
        immediate = true)
public final class MountMaker {
    private final BundleContext context;
    private final Configuration configuration;
    private final String mountpoint;
    private final boolean inProcess;
    /** Guarded by this. */
    private ServiceRegistration<MountedImage> registration;
    /** Guarded by this. */
    private boolean ended;

    /** Configures the mount, if the test asked for one. */
    @Activate
    public MountMaker(BundleContext context, @Reference ConfigurationAdmin configurations) throws IOException {
        this.context = context;
        Dictionary<String, Object> asked = Asked.configuration(context::getProperty);
        if (asked.isEmpty()) {
            configuration = null;
            mountpoint = null;
            inProcess = false;
            return;
        }
        mountpoint = asked.get(Mount.MOUNTPOINT).toString();
        inProcess = Mount.NO_TRANSPORT.equals(asked.get(Mount.TRANSPORT));
        configuration = configurations.createFactoryConfiguration(Mount.PID, "?");
        configuration.update(asked);
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindMount(Mount mount) {
        if (mount.mountpoint().equals(mountpoint)) {
            mount.settled().thenAccept(state -> register(mount));
        }
    }

    void unbindMount(Mount mount) {
        if (mount.mountpoint().equals(mountpoint)) {
            unregister();
        }
    }

    private synchronized void register(Mount mount) {
        if (!ended && registration == null) {
            MountedImage found = new Mounted(mount, inProcess);
            registration = context.registerService(MountedImage.class, found, null);
        }
    }

    private synchronized void unregister() {
        if (registration != null) {
            registration.unregister();
            registration = null;
        }
    }

    /** Unmounts what was mounted for the test. */
    @Deactivate
    void end() throws IOException {
        synchronized (this) {
            ended = true;
        }
        unregister();
        if (configuration != null) {
            configuration.delete();
        }
    }
}
