// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.MountPoint;
import ext4.api.fs.SwapReport;
import ext4.api.fs.Transport;
import ext4.api.fs.TransportSession;
import ext4.api.journal.JournalProvider;
import ext4.api.mount.MountException;
import ext4.api.orphan.OrphanStrategy;
import ext4.mount.gate.Gate;
import ext4.mount.gate.GatedFileSystem;
import ext4.mount.gate.Part;
import ext4.mount.swap.Candidate;
import ext4.mount.swap.StrategyTarget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A filesystem that is up: device, core, gate and mount point, brought up and taken down in order. */
final class MountStack implements StrategyTarget {
    private static final Logger LOG = LoggerFactory.getLogger(MountStack.class);
    /** Part of the 3 s that a service's end may wait for the hand-over; what is left is for the barrier. */
    private static final long DRAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

    /** Mount points of this process that are taken: what is mounted over another mount hides it. */
    private static final Set<String> TAKEN = ConcurrentHashMap.newKeySet();

    private static final long UNMOUNT_DRAIN_NANOS = TimeUnit.SECONDS.toNanos(30);

    final MountConfig config;
    final Gate gate;
    final CoreFileSystem core;
    final GatedFileSystem gated;
    /** Null without a transport. */
    final TransportSession session;

    final MountDevice device;

    private MountStack(MountConfig config, MountDevice device, CoreFileSystem core, Transport transport) {
        this.config = config;
        this.device = device;
        this.core = core;
        gate = new Gate(config.mountpoint(), TimeUnit.SECONDS.toNanos(config.limitSeconds()));
        gated = new GatedFileSystem(gate, core, config.options().options().alwaysRemoveOrphans());
        session = transport == null ? null : transport.mount(where(config, core.readOnly()), gated);
    }

    /** Brings it up; on a throw nothing stays open. All parts that {@link Parts#missingFor} names are there. */
    static MountStack up(MountConfig config, Parts parts, Candidate<OrphanStrategy> strategy) throws MountException {
        Transport transport = Parts.wantsTransport(config) ? parts.transport(config) : null;
        if (transport == null) {
            return assemble(config, parts, strategy, null);
        }
        if (!TAKEN.add(config.mountpoint())) {
            throw new MountException(config.mountpoint() + ": already mounted by another configuration");
        }
        MountStack up = null;
        try {
            checkDirectory(Path.of(config.mountpoint()));
            transport.check(where(config, config.options().options().readOnly()));
            up = assemble(config, parts, strategy, transport);
            return up;
        } finally {
            if (up == null) {
                TAKEN.remove(config.mountpoint());
            }
        }
    }

    private static MountStack assemble(
            MountConfig config, Parts parts, Candidate<OrphanStrategy> strategy, Transport transport)
            throws MountException {
        MountDevice device = new MountDevice(
                parts.device(config), config.image(), config.options().options().readOnly());
        CoreFileSystem core = null;
        try {
            boolean journals = parts.core().needsJournal(device);
            JournalProvider journal = parts.journal(journals);
            if (journal == null) {
                throw new MountException(
                        journals
                                ? "the filesystem has a journal, and no journal provider is there; start ext4.journal"
                                : "the filesystem has no journal, and no provider for that is there; start ext4.journal");
            }
            core = parts.core().mount(device, config.options().options(), journal, strategy.name(), strategy.service());
            return new MountStack(config, device, core, transport);
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

    /**
     * Takes it down: mount point, requests, core, device, in this order. The image is clean when this returns.
     *
     * @param evenIfBusy whether a mount point in use is detached; else EBUSY is thrown and everything goes on
     */
    void down(boolean evenIfBusy) throws InterruptedException {
        if (session != null) {
            closeSession(evenIfBusy);
        }
        gate.shut();
        if (!gate.drain(Part.CORE, UNMOUNT_DRAIN_NANOS)) {
            LOG.warn("{}: {} requests still run while it is unmounted", config.mountpoint(), gate.running());
        }
        try (device) {
            core.close();
        }
    }

    /** It is down, well or not: the mount point is free for another. */
    void gone() {
        if (session != null) {
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

    @Override
    public SwapReport swap(String name, OrphanStrategy strategy) {
        return core.swapOrphanStrategy(name, strategy);
    }

    @Override
    public void missing(String remedy) {
        gate.close(Part.ORPHANS, remedy);
    }

    @Override
    public SwapReport detach() {
        try {
            if (!gate.drain(Part.ORPHANS, DRAIN_NANOS)) {
                LOG.warn("{}: a request that needs the orphan strategy takes long; it may fail", config.mountpoint());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        core.awaitEvictions(); // they need a list, and nothing that brings new ones passes the gate
        return core.detachOrphanStrategy();
    }

    @Override
    public void attached() {
        gate.open(Part.ORPHANS);
        gated.replayForgets();
    }
}
