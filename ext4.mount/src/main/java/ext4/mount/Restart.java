// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.DeviceException;
import ext4.api.fs.PinnedInodes;
import ext4.api.fs.Transport;
import ext4.api.fs.TransportState;
import ext4.api.journal.JournalProvider;
import ext4.api.mount.MountException;
import ext4.api.orphan.OrphanStrategy;
import ext4.mount.gate.Part;
import ext4.mount.kept.Suspended;
import ext4.mount.swap.Candidate;
import ext4.mount.swap.PartSwitch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands a mount to another process that is ready for it. Most is flushed while requests run; then the transport stops
 * reading, so that callers wait in the kernel, the core freezes, the image is let go, and the keeper passes the descriptors
 * on. If the other refuses, all of that is undone. Runs on the coordinator's thread.
 */
final class Restart {
    private static final Logger LOG = LoggerFactory.getLogger(Restart.class);

    private final ManagedMount mount;
    private final MountStack stack;
    private final Parts parts;
    private final Limits limits;
    private final String name;
    /** Asked before the core freezes: a frozen one refuses changes. */
    private final boolean readOnly;

    private Candidate<Transport> transport;
    private Candidate<JournalProvider> journal;
    private Candidate<OrphanStrategy> strategy;

    Restart(ManagedMount mount, MountStack stack, Parts parts, Limits limits) {
        this.mount = mount;
        this.stack = stack;
        this.parts = parts;
        this.limits = limits;
        name = stack.config.mountpoint();
        readOnly = stack.readOnly();
    }

    /** Returns when the other serves it; a throw leaves it served here, unless it says otherwise. */
    String run() throws MountException {
        transport = there(mount.switches.transport(), "transport");
        journal = there(mount.switches.journal(), "journal");
        strategy = there(mount.switches.strategy(), "orphan strategy");
        CoreFileSystem core = stack.core();
        long start;
        try {
            core.prepareFreeze();
            start = System.nanoTime();
            stack.suspend(stack.session.suspend());
        } catch (RuntimeException e) {
            throw refused(PartSwitch.reason(e), e);
        }
        stack.gate.hold(Part.CORE); // who uses it in this process
        PinnedInodes pins;
        try {
            Drained.of(stack.gate, Part.CORE, limits.drainNanos());
            if (!stack.keepsLog) {
                core.awaitEvictions(); // nothing on the device lists them, and the keeper knows what is pinned only
            }
            pins = core.freeze();
        } catch (RuntimeException e) {
            goOn();
            throw refused(PartSwitch.reason(e), e);
        }
        stack.device.release();
        hand(core, start, pins);
        end(core);
        return name + ": another process serves it";
    }

    private <T> T there(T part, String what) throws MountException {
        if (part == null) {
            throw new MountException(name + ": not restarted: its " + what + " is missing");
        }
        return part;
    }

    private MountException refused(String why, Throwable cause) {
        LOG.error("{}: not restarted, this process goes on: {}", name, why, cause);
        return new MountException(name + ": not restarted: " + why);
    }

    private void hand(CoreFileSystem core, long start, PinnedInodes pins) throws MountException {
        String refusal;
        try {
            refusal = stack.keep.hand(stack.suspended, Suspended.words(start, pins));
        } catch (DeviceException e) {
            // it may serve by now, so this process must neither read a request nor touch the image
            closeConnection();
            end(core, pins);
            mount.lost("it is not known whether another process serves it: " + e.getMessage());
            throw new MountException(name + ": lost while it was handed over: " + e.getMessage());
        }
        if (refusal == null) {
            return;
        }
        try {
            stack.device.reopen(parts.device(stack.config), readOnly);
            core.thaw(journal.service(), strategy.name(), strategy.service());
        } catch (RuntimeException e) {
            closeConnection();
            end(core, pins);
            mount.lost("not restarted, and can't go on: " + PartSwitch.reason(e));
            throw new MountException(
                    name + ": not restarted: " + refusal + "; and this process can't go on: " + PartSwitch.reason(e));
        }
        goOn();
        throw refused(refusal, null);
    }

    /** The core is at work: requests are read again. */
    private void goOn() {
        stack.gate.open(Part.CORE);
        stack.gated.replayForgets();
        try {
            stack.serve(transport.service().resume(stack.where(), stack.served, stack.suspended));
        } catch (RuntimeException e) {
            // what is left of it is with the mount, as of a transport that is missing, and can be taken up by another
            LOG.error("{}: its transport can't go on: {}", name, PartSwitch.reason(e), e);
        }
    }

    /** Nothing of it is used in this process any more. */
    private void end(CoreFileSystem core) {
        closeConnection();
        stack.gate.shut();
        close(core);
        stack.keep.close();
        stack.release();
        mount.handedOver();
        LOG.info("{}: another process serves it", name);
    }

    private void end(CoreFileSystem core, PinnedInodes pins) {
        stack.gate.shut();
        LOG.debug("{}: {} nodes were known", name, pins.size());
        close(core);
    }

    /** It is frozen and writes nothing. */
    private void close(CoreFileSystem core) {
        try {
            core.close();
        } catch (RuntimeException e) {
            LOG.warn("{}: what is left of the core: {}", name, PartSwitch.reason(e), e);
        }
    }

    private void closeConnection() {
        TransportState state = stack.suspended;
        stack.suspended = null;
        Connections.close(state);
    }
}
