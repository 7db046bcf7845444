// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.SwapReport;
import ext4.api.fs.Transport;
import ext4.api.fs.TransportSession;
import ext4.api.fs.TransportState;
import ext4.mount.swap.Candidate;
import ext4.mount.swap.PartLostException;
import ext4.mount.swap.PartSwitch;
import ext4.mount.swap.PartTarget;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transport of a mount: the one at work gives up its connection, another goes on with it. Requests wait in the operating
 * system meanwhile, and are answered by whoever reads them.
 */
final class TransportHandOver implements PartTarget<Transport> {
    private static final Logger LOG = LoggerFactory.getLogger(TransportHandOver.class);

    private final MountStack stack;
    /** Services that can't go on with a connection of this kind, while they are there, and why. The coordinator's. */
    private final Map<Object, String> otherKind = new WeakHashMap<>();

    TransportHandOver(MountStack stack) {
        this.stack = stack;
    }

    @Override
    public SwapReport swap(Candidate<Transport> from, Candidate<Transport> to) {
        long start = System.nanoTime();
        if (stack.suspended == null) {
            stack.suspend(stack.session.suspend());
        }
        TransportState state = stack.suspended;
        try {
            stack.serve(resumed(to, state));
        } catch (RuntimeException | Error e) {
            if (e instanceof UnsupportedOperationException) {
                otherKind.put(to.key(), PartSwitch.reason(e));
            }
            if (from != null) {
                back(from, state, e);
            }
            throw e;
        }
        return report(from, to, start);
    }

    private TransportSession resumed(Candidate<Transport> by, TransportState state) {
        TransportSession next = by.service().resume(stack.where(), stack.served, state);
        if (next == null) {
            throw new IllegalStateException("it gives back nothing");
        }
        return next;
    }

    /** The one before goes on, or none is there. */
    private void back(Candidate<Transport> from, TransportState state, Throwable cause) {
        try {
            stack.serve(resumed(from, state));
        } catch (RuntimeException | Error e) {
            LOG.error("{}: the transport before can't go on either", stack.config.mountpoint(), e);
            throw new PartLostException(
                    PartSwitch.reason(cause) + "; and the one before can't go on: " + PartSwitch.reason(e));
        }
    }

    @Override
    public SwapReport detach(Candidate<Transport> from, Supplier<String> remedy) {
        long start = System.nanoTime();
        stack.suspend(stack.session.suspend());
        return report(from, null, start);
    }

    private static SwapReport report(Candidate<Transport> from, Candidate<Transport> to, long start) {
        return new SwapReport(
                SwapReport.Part.TRANSPORT,
                Idle.name(from),
                Idle.name(to),
                0,
                TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start),
                0,
                0);
    }

    @Override
    public String unfit(Candidate<Transport> candidate) {
        String kind = otherKind.get(candidate.key());
        return kind == null ? candidate.service().unavailable() : kind;
    }
}
