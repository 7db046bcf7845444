// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.CoreProvider;
import ext4.api.fs.DeviceException;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import ext4.api.fs.MountPoint;
import ext4.api.fs.PinnedInodes;
import ext4.api.fs.SwapReport;
import ext4.api.fs.Transport;
import ext4.api.fs.TransportSession;
import ext4.api.fs.TransportState;
import ext4.api.journal.JournalProvider;
import ext4.api.keep.Kept;
import ext4.api.mount.MountException;
import ext4.api.orphan.OrphanStrategy;
import ext4.mount.gate.Gate;
import ext4.mount.gate.GatedFileSystem;
import ext4.mount.gate.Part;
import ext4.mount.kept.MountKeep;
import ext4.mount.swap.Candidate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A filesystem that is up: device, core, gate and mount point, brought up and taken down in order. A part of it that is
 * missing is here what is left of it, in types that every bundle knows. Changed on the coordinator's thread alone.
 */
final class MountStack {
    private static final Logger LOG = LoggerFactory.getLogger(MountStack.class);

    /** Mount points of this process that are taken: what is mounted over another mount hides it. */
    private static final Set<String> TAKEN = ConcurrentHashMap.newKeySet();

    private static final long UNMOUNT_DRAIN_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** How a core's status begins to say that its journal stopped; a core that is closed then leaves all to recovery. */
    private static final String ABORTED = "aborted: ";

    /** The services that it came up with. */
    record Services(
            Candidate<CoreProvider> core,
            Candidate<JournalProvider> journal,
            Candidate<OrphanStrategy> strategy,
            Candidate<Transport> transport) {}

    final MountConfig config;
    final MountDevice device;
    final Gate gate;
    final GatedFileSystem gated;
    /** What transports are given: the gate, and what is counted for a keeper. */
    FileSystem served;
    /** What a keeper has of it, or null. */
    MountKeep keep;
    /** How this process came to serve it, for people; null if it is the first. */
    String followed;
    /** Whether it has a journal, which never changes while it is mounted. */
    final boolean keepsLog;

    /** The way to the device of the core at work. */
    Lease lease;
    /** Null while it is missing. Written by the coordinator. */
    volatile CoreFileSystem core;
    /** What is left of the core while it is missing. */
    PinnedInodes pins;
    /** Whether the core that is frozen was read-only. */
    volatile boolean wasReadOnly;

    /** Null without a transport, or while it is missing. Written by the coordinator. */
    volatile TransportSession session;
    /** What is left of the transport while it is missing; its descriptors are this object's then. */
    volatile TransportState suspended;

    /** How many served it so far: what the ones before the last say of their end is not said of the mount point. */
    private volatile int sessions;

    private Runnable gone = () -> {};

    MountStack(MountConfig config, MountDevice device, Lease lease, CoreFileSystem core, boolean keepsLog) {
        this.config = config;
        this.device = device;
        this.lease = lease;
        this.core = core;
        this.keepsLog = keepsLog;
        gate = new Gate(config.mountpoint(), TimeUnit.SECONDS.toNanos(config.limitSeconds()));
        gated = new GatedFileSystem(gate, core, config.options().options().alwaysRemoveOrphans());
        served = gated;
    }

    /** The services to come up with. All parts that {@link Parts#missingFor} names are there. */
    static Services services(MountConfig config, Parts parts, BlockDevice device) throws MountException {
        Candidate<CoreProvider> core = parts.core(config);
        boolean keepsLog = core.service().needsJournal(device);
        Candidate<JournalProvider> journal = parts.journal(config, keepsLog);
        if (journal == null) {
            String named = config.precedence(SwapReport.Part.JOURNAL).named();
            String one = named == null ? "no journal provider" : "no such journal provider '" + named + "'";
            throw new MountException(
                    keepsLog
                            ? "the filesystem has a journal, and " + one + " is there; start ext4.journal"
                            : "the filesystem has no journal, and " + one + " for that is there; start ext4.journal");
        }
        return new Services(
                core, journal, parts.strategy(config), config.wantsTransport() ? parts.transport(config) : null);
    }

    /** What came up, and with which services. */
    record Up(MountStack stack, Services services) {}

    /** Brings it up; on a throw nothing stays open. All parts that {@link Parts#missingFor} names are there. */
    static Up up(MountConfig config, Parts parts) throws MountException {
        if (!config.wantsTransport()) {
            return assemble(config, parts, null);
        }
        if (!TAKEN.add(config.mountpoint())) {
            throw new MountException(config.mountpoint() + ": already mounted by another configuration");
        }
        Up up = null;
        try {
            MountKeep keep = config.keeper() == null ? null : new MountKeep(parts.keeper(config), config.mountpoint());
            Kept left = keep == null ? null : keep.take();
            if (left != null) { // its mount point is not looked at: who does waits for this very process
                up = new Follow(config, parts, keep, left).up();
                return up;
            }
            checkDirectory(Path.of(config.mountpoint()));
            parts.transport(config).service().check(where(config, config.readOnly()));
            up = assemble(config, parts, keep);
            return up;
        } finally {
            if (up == null) {
                TAKEN.remove(config.mountpoint());
            }
        }
    }

    private static Up assemble(MountConfig config, Parts parts, MountKeep keep) throws MountException {
        MountDevice device = new MountDevice(parts.device(config), config.image(), config.readOnly());
        CoreFileSystem core = null;
        try {
            Services with = services(config, parts, device);
            Lease lease = new Lease(device, true);
            core = with.core()
                    .service()
                    .mount(
                            lease,
                            config.options().options(),
                            with.journal().service(),
                            with.strategy().name(),
                            with.strategy().service());
            MountStack stack = new MountStack(
                    config, device, lease, core, with.journal().service().journals());
            if (with.transport() != null) {
                stack.keptBy(keep);
                stack.session = with.transport().service().mount(stack.where(), stack.served);
                stack.keepOrEnd();
            }
            return new Up(stack, with);
        } catch (MountException | RuntimeException | Error e) {
            abandon(core, device, e);
            throw e;
        }
    }

    private static void abandon(CoreFileSystem core, BlockDevice device, Throwable cause) {
        try (device) {
            if (core != null) {
                core.close();
            }
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    private static void checkDirectory(Path mountpoint) throws MountException {
        if (!Files.exists(mountpoint)) {
            throw new MountException(mountpoint + ": mount point does not exist");
        }
        if (!Files.isDirectory(mountpoint)) {
            throw new MountException(mountpoint + ": mount point is not a directory");
        }
    }

    private static MountPoint where(MountConfig config, boolean readOnly) {
        OptionString options = config.options();
        return new MountPoint(config.image(), config.mountpoint(), readOnly, options.allowOther(), options.flags());
    }

    /** Where it is mounted and how. */
    MountPoint where() {
        return where(config, readOnly());
    }

    /** Whether changes are refused. */
    boolean readOnly() {
        CoreFileSystem there = core;
        return there == null ? wasReadOnly : there.readOnly();
    }

    /** Whether it is visible at its mount point, be the transport there or missing. */
    boolean hasTransport() {
        return session != null || suspended != null;
    }

    /** Has it kept from its first request on; null for no keeper. */
    void keptBy(MountKeep keeper) {
        keep = keeper;
        if (keeper != null) {
            served = keeper.counted(gated, core.statfs().files());
            keeper.say(KeptConfig.words(config));
        }
    }

    /** Nobody has used it yet. */
    private void keepOrEnd() throws MountException {
        try {
            if (keep != null) {
                keep.serve(session);
            }
        } catch (UnsupportedOperationException e) {
            session.detach();
            throw new MountException(config.mountpoint() + ": it can't be kept: " + e.getMessage());
        }
    }

    /** The core at work. */
    CoreFileSystem core() throws MountException {
        CoreFileSystem there = core;
        if (there == null) {
            throw new MountException(config.mountpoint() + ": its core is missing");
        }
        return there;
    }

    /** Tells {@code end} when the mount point is gone, whichever transport serves it then. */
    void whenGone(Runnable end) {
        gone = end;
        if (session != null) {
            hook(session);
        }
    }

    /** That transport serves it from now on. */
    void serve(TransportSession next) {
        session = next;
        suspended = null;
        hook(next);
        if (keep != null) {
            keep.serveAfter(next);
        }
    }

    /** Nobody serves it. */
    void suspend(TransportState state) {
        suspended = state;
        session = null;
    }

    private void hook(TransportSession served) {
        int number = sessions + 1;
        sessions = number;
        served.ended().whenComplete((nothing, error) -> {
            if (sessions == number) {
                gone.run();
            }
        });
    }

    /**
     * Takes it down: mount point, requests, core, device, in this order. The image is clean when this returns.
     *
     * @param evenIfBusy whether a mount point in use is detached; else EBUSY is thrown and everything goes on
     * @param orphaned ends a mount point that no transport serves
     */
    void down(boolean evenIfBusy, Orphaned orphaned) throws InterruptedException {
        if (suspended != null) {
            orphaned.end(suspended);
            suspended = null;
        } else if (session != null) {
            closeSession(evenIfBusy);
        }
        gate.shut();
        if (!gate.drain(Part.CORE, UNMOUNT_DRAIN_NANOS)) {
            LOG.warn("{}: {} requests still run while it is unmounted", config.mountpoint(), gate.running());
        }
        try (device) {
            CoreFileSystem there = core;
            if (there == null) {
                throw new DeviceException(
                        config.image() + ": unmounted while its core is missing, so its superblock is not"
                                + " marked clean; nothing is lost, and the next mount or check frees " + pins.orphans()
                                + " unlinked files");
            }
            String journal = there.status().get("journal");
            there.close();
            if (journal != null && journal.startsWith(ABORTED)) {
                throw new DeviceException(config.image() + ": its superblock is not marked clean; the next mount or a"
                        + " check recovers it; the journal " + journal);
            }
        }
    }

    /** What is done about a mount point whose transport is missing when it is to be unmounted. */
    interface Orphaned {
        /** Ends it, or throws EBUSY and changes nothing. */
        void end(TransportState state);
    }

    /** It is down, well or not: the mount point is free for another. */
    void gone() {
        if (keep != null) {
            keep.drop();
        }
        release();
    }

    /** It is no mount point of this process any more. */
    void release() {
        if (config.wantsTransport()) {
            TAKEN.remove(config.mountpoint());
        }
    }

    private void closeSession(boolean evenIfBusy) {
        try {
            session.close();
        } catch (ErrnoException e) {
            if (!evenIfBusy) {
                throw e;
            }
            LOG.warn("{}: busy; detached from the tree while in use", config.mountpoint());
            gate.shut(); // what waits for a missing part would keep the session from ending
            session.detach();
        }
    }
}
