// SPDX-License-Identifier: Apache-2.0
package ext4.control;

import ext4.api.mount.Mount;
import java.io.IOException;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * The one mount that the command started this container for. The launcher leaves a service, a {@link BiConsumer} with the
 * mount's properties; it is told how the mount ended: exit status, and the reason or null. In a container that nobody
 * started for one mount there is no such service, and nothing is done.
 */
@Component(
        service = {},
        immediate = true)
public final class CommandMount {
    private static final List<String> COPIED = List.of(
            Mount.IMAGE,
            Mount.MOUNTPOINT,
            Mount.OPTIONS,
            Mount.TRANSPORT,
            Mount.JOURNAL,
            Mount.CORE,
            Mount.STRATEGY,
            Mount.FALLBACK);

    /** Exit status after which a service manager is to start the next process: EX_TEMPFAIL of sysexits.h. */
    private static final int SERVE_AGAIN = 75;

    /** Null in a container that was not started for one mount. */
    private final BiConsumer<Integer, String> ended;

    /** Creates the configuration. This bundle starts after all parts, so what is missing now is not there. */
    @Activate
    public CommandMount(
            @Reference(cardinality = ReferenceCardinality.OPTIONAL, target = "(ext4.command=mount)")
                    BiConsumer<Integer, String> ended,
            @Reference(
                            name = "ended.properties",
                            service = BiConsumer.class,
                            cardinality = ReferenceCardinality.OPTIONAL,
                            target = "(ext4.command=mount)")
                    Map<String, Object> asked,
            @Reference ConfigurationAdmin configurations)
            throws IOException {
        this.ended = ended;
        if (ended == null) {
            return;
        }
        Dictionary<String, Object> properties = new Hashtable<>();
        for (String key : COPIED) {
            if (asked.get(key) != null) {
                properties.put(key, asked.get(key));
            }
        }
        configurations.createFactoryConfiguration(Mount.PID, "?").update(properties);
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindMount(Mount mount) {
        if (ended == null) {
            return;
        }
        mount.settled().thenAccept(state -> {
            if (state == Mount.State.MOUNTED) {
                mount.ended().thenAccept(last -> ended.accept(status(last), mount.failure()));
            } else {
                ended.accept(1, mount.failure());
            }
        });
    }

    private static int status(Mount.State last) {
        return switch (last) {
            case UNMOUNTED -> 0;
            case HANDED_OVER -> SERVE_AGAIN;
            default -> 1;
        };
    }

    void unbindMount(Mount mount) {
        // its end was told
    }
}
