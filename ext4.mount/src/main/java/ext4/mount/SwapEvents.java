// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.SwapReport;
import ext4.api.mount.MountEvents;
import ext4.mount.swap.SwapEvent;
import ext4.mount.swap.SwapListener;
import java.util.HashMap;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.event.Event;
import org.osgi.service.event.EventAdmin;

/**
 * Tells Event Admin what happens to the parts of mounts. The package of Event Admin is imported optionally and this class is
 * loaded only when its service is there: it is said to be optional, so that nothing else demands it, and then to be needed.
 */
@Component(service = SwapListener.class, immediate = true, property = "events.cardinality.minimum:Integer=1")
public final class SwapEvents implements SwapListener {
    private final EventAdmin events;

    @Activate
    public SwapEvents(@Reference(name = "events", cardinality = ReferenceCardinality.OPTIONAL) EventAdmin events) {
        this.events = events;
    }

    @Override
    public void happened(SwapEvent event) {
        SwapReport report = event.report();
        Map<String, Object> properties = new HashMap<>();
        properties.put(MountEvents.MOUNTPOINT, event.mountpoint());
        properties.put(MountEvents.PART, report.part().word());
        properties.put(MountEvents.FROM, report.from());
        properties.put(MountEvents.TO, report.to());
        if (event.reason() != null) {
            properties.put(MountEvents.REASON, event.reason());
        }
        if (event.outcome() != SwapEvent.Outcome.REFUSED) {
            properties.put(MountEvents.PAUSE, report.pauseMicros());
            properties.put(MountEvents.ORPHANS, report.orphansCarried());
            properties.put(MountEvents.FLUSHED, report.flushedBytes());
        }
        events.postEvent(new Event(topic(event.outcome()), properties));
    }

    private static String topic(SwapEvent.Outcome outcome) {
        return switch (outcome) {
            case REPLACED -> MountEvents.REPLACED;
            case REFUSED -> MountEvents.REFUSED;
            case MISSING -> MountEvents.MISSING;
        };
    }
}
