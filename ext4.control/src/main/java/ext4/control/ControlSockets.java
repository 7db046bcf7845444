// SPDX-License-Identifier: Apache-2.0
package ext4.control;

import ext4.api.mount.Mount;
import ext4.control.socket.ControlServer;
import ext4.control.socket.SocketPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens a control socket for each mount that is configured. */
@Component(
        service = {},
        immediate = true)
public final class ControlSockets {
    private static final Logger LOG = LoggerFactory.getLogger(ControlSockets.class);

    private final Path directory = SocketPath.runDirectory();
    private final Map<Mount, ControlServer> servers = new ConcurrentHashMap<>();
    /** Guarded by this. */
    private boolean active = true;

    @Activate
    void activate() {
        LOG.debug("control sockets are in {}", directory);
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    synchronized void bindMount(Mount mount) {
        if (!active) {
            return;
        }
        try {
            SocketPath.prepare(directory);
            Path path = SocketPath.socket(directory, mount.mountpoint());
            servers.put(mount, new ControlServer(path, new MountRequests(mount)));
        } catch (IOException e) {
            LOG.error("{}: no control socket: {}", mount.mountpoint(), e.toString());
        }
    }

    void unbindMount(Mount mount) {
        ControlServer server = servers.remove(mount);
        if (server != null) {
            server.close();
        }
    }

    @Deactivate
    synchronized void deactivate() {
        active = false;
        servers.values().forEach(ControlServer::close);
        servers.clear();
    }
}
