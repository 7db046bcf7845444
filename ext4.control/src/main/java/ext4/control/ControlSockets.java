// SPDX-License-Identifier: Apache-2.0
package ext4.control;

import ext4.api.mount.Mount;
import ext4.control.socket.ControlServer;
import ext4.control.socket.SocketPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.osgi.framework.BundleContext;
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

    /** Framework property that says what the command started this container for: {@code mount}, one mount only. */
    private static final String COMMAND = "ext4.command";

    /** Whether a keeper process started this one, perhaps beside another that serves the mount. */
    private static final boolean FOLLOWS = System.getenv("EXT4_KEEPER_FD") != null;

    private final Path directory = SocketPath.runDirectory();
    private final boolean alone;
    /** Guarded by this. */
    private final Set<Mount> mounts = new LinkedHashSet<>();
    /** Guarded by this. */
    private final Map<Mount, ControlServer> servers = new HashMap<>();
    /** Guarded by this. */
    private boolean active = true;

    @Activate
    public ControlSockets(BundleContext context) {
        alone = "mount".equals(context.getProperty(COMMAND));
        LOG.debug("control sockets are in {}", directory);
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindMount(Mount mount) {
        synchronized (this) {
            mounts.add(mount);
        }
        updatedMount(mount);
    }

    /** Its mount point may be another now. */
    void updatedMount(Mount mount) {
        close(stale());
        mount.settled().thenRunAsync(() -> close(stale()));
    }

    void unbindMount(Mount mount) {
        ControlServer server;
        synchronized (this) {
            mounts.remove(mount);
            server = servers.remove(mount);
        }
        close(server == null ? List.of() : List.of(server));
        close(stale()); // another configuration of that mount point may have it
    }

    /** Opens what should be open; returns what is not wanted any more, to be closed without a lock held. */
    private synchronized List<ControlServer> stale() {
        List<ControlServer> old = new ArrayList<>();
        if (!active) {
            return old;
        }
        // of two configurations of one mount point the one that is up is spoken to
        Map<Path, Mount> wanted = new LinkedHashMap<>();
        for (Mount mount : mounts) {
            wanted.merge(
                    SocketPath.socket(directory, mount.mountpoint()),
                    mount,
                    (a, b) -> b.state() == Mount.State.MOUNTED ? b : a);
        }
        servers.entrySet().removeIf(entry -> {
            boolean keep = entry.getKey().equals(wanted.get(entry.getValue().path()));
            if (!keep) {
                old.add(entry.getValue());
            }
            return !keep;
        });
        old.forEach(ControlServer::stop);
        wanted.forEach((path, mount) -> servers.computeIfAbsent(mount, ignored -> open(path, mount)));
        return old;
    }

    /**
     * Null, and a line in the log, if it can't be opened; null too as long as the process that this one is to follow may
     * answer there.
     */
    private ControlServer open(Path path, Mount mount) {
        if (FOLLOWS && mount.state() != Mount.State.MOUNTED) {
            return null;
        }
        try {
            SocketPath.prepare(directory);
            return new ControlServer(path, new MountRequests(mount, alone), FOLLOWS);
        } catch (IOException e) {
            LOG.error("{}: no control socket: {}", mount.mountpoint(), e.toString());
            return null;
        }
    }

    private static void close(List<ControlServer> servers) {
        servers.forEach(ControlServer::close);
    }

    @Deactivate
    void deactivate() {
        List<ControlServer> all;
        synchronized (this) {
            active = false;
            all = List.copyOf(servers.values());
            servers.clear();
        }
        close(all);
    }
}
