// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.FileSystem;
import ext4.api.fs.SwapReport;
import ext4.api.fs.SwapReport.Part;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import ext4.api.orphan.OrphanPlace;
import ext4.mount.swap.Coordinator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One configured mount: comes up as soon as its parts are there, keeps the right parts at work, goes down. Everything that
 * changes it happens on its coordinator's thread.
 */
final class ManagedMount implements Mount {
    private static final Logger LOG = LoggerFactory.getLogger(ManagedMount.class);
    /** Mounts that don't come up; a logger of its own since a command that asked for one tells it itself. */
    private static final Logger REFUSED = LoggerFactory.getLogger("ext4.mount.refused");
    /** How long the end of a service waits for the hand-over; below the 5 s that SCR waits for its locks. */
    private static final long HAND_OVER_MILLIS = 3000;

    private final Parts parts;
    private final MountRecord record;
    private final Limits limits;
    private final Coordinator coordinator;
    private final Operator operator;
    private final Standing standing = new Standing();

    /** The configuration as it reads now, valid or not. Written by the coordinator. */
    Map<String, ?> latest;
    /** Why the latest change of the configuration is not at work, or null. Written by the coordinator. */
    private volatile String refusal;
    /** Null if the configuration is not valid. Written by the coordinator. */
    volatile MountConfig config;
    /** Null unless mounted. Written by the coordinator. */
    volatile MountStack stack;
    /** Null before the first mount. Written by the coordinator. */
    volatile Switches switches;

    ManagedMount(Map<String, ?> properties, Parts parts, MountRecord record) {
        this(properties, parts, record, Limits.DEFAULTS);
    }

    ManagedMount(Map<String, ?> properties, Parts parts, MountRecord record, Limits limits) {
        this.parts = parts;
        this.record = record;
        this.limits = limits;
        standing.name(properties);
        coordinator = new Coordinator("ext4 mount " + mountpoint());
        operator = new Operator(this, coordinator, record);
        coordinator.post(() -> begin(properties));
    }

    private void begin(Map<String, ?> properties) {
        try {
            if (record.deleteIfAbandoned()) {
                latest = properties;
                LOG.info("{}: the file of its configuration is gone, and so is the configuration", mountpoint());
                standing.settle(State.FAILED, standing.line("the file of its configuration is gone"));
                return;
            }
        } catch (IOException | IllegalStateException e) {
            LOG.warn("{}: its configuration can't be looked at: {}", mountpoint(), e.getMessage());
        }
        take(properties);
    }

    /** The configuration is new or was changed. Returns at once. */
    void configure(Map<String, ?> properties) {
        standing.name(properties);
        coordinator.post(() -> take(properties));
    }

    private void take(Map<String, ?> properties) {
        latest = properties;
        MountConfig next;
        try {
            next = MountConfig.from(properties);
        } catch (MountException e) {
            if (stack == null) {
                config = null; // not even the last valid one: a part that comes must not mount it
                standing.name(properties);
                fail(e.getMessage());
            } else {
                refuse(e.getMessage());
            }
            return;
        }
        if (stack != null) {
            change(next);
        } else if (!standing.isOver() || !next.equals(config)) {
            start(next);
        }
    }

    /** Mounts, or mounts again. */
    private void start(MountConfig next) {
        standing.begins();
        config = next;
        tryMount();
    }

    /** Changes the running mount, as a whole or not at all. */
    private void change(MountConfig next) {
        String fixed = config.fixedDifferences(next);
        if (fixed != null) {
            refuse(fixed + " can't be changed while it is mounted; unmount and mount it again");
            return;
        }
        try {
            if (next.readOnly() != config.readOnly()) {
                remountAs(next.readOnly());
            }
        } catch (MountException e) {
            refuse(e.getMessage());
            return;
        }
        config = next;
        tellKeeper();
        refusal = null;
        stack.gate.limit(TimeUnit.SECONDS.toNanos(next.limitSeconds()));
        switches.precedence(next);
    }

    /** On the coordinator's thread. */
    void remountAs(boolean readOnly) throws MountException {
        Remount remount = new Remount(stack);
        if (readOnly) {
            remount.readOnly();
        } else {
            remount.readWrite(config, parts, switches.strategy());
        }
        config = config.withReadOnly(readOnly);
        tellKeeper();
        LOG.info("{}: remounted {}", mountpoint(), readOnly ? "read-only" : "read-write");
    }

    /** The next process is to mount as this one does. On the coordinator's thread. */
    void tellKeeper() {
        if (stack.keep != null) {
            stack.keep.say(KeptConfig.words(config));
        }
    }

    /** Another process serves it. On the coordinator's thread. */
    void handedOver() {
        stack = null;
        standing.name((MountConfig) null);
        standing.settle(State.HANDED_OVER, null);
        standing.ends();
    }

    /** It can't be served here any more; what is kept of it is left to another process. On the coordinator's thread. */
    void lost(String why) {
        stack.keep.close();
        stack.release();
        stack = null;
        LOG.error("{}: {}", mountpoint(), why);
        standing.settle(State.FAILED, standing.line(why));
        standing.ends();
    }

    private void refuse(String why) {
        refusal = why;
        LOG.error("{}: the changed configuration is refused, the mount goes on as it was: {}", mountpoint(), why);
    }

    /** A block device provider came. */
    void deviceCame() {
        coordinator.post(this::tryMount);
    }

    /** A block device provider is about to go. */
    void deviceGoes() {
        if (stack != null) {
            LOG.warn("{}: a block device service goes; the mount keeps its device until it is unmounted", mountpoint());
        }
    }

    /** A service for that part came or its properties changed. */
    void partCame(Part part, Object key) {
        coordinator.post(() -> {
            if (stack == null) {
                tryMount();
            } else {
                switches.changed(part, key);
            }
        });
    }

    /** A service for that part is about to go: returns when it is out of use, or after 3 s. */
    void partGoes(Part part, Object key) {
        boolean done = coordinator.await(
                () -> {
                    if (stack != null) {
                        switches.changed(part, key);
                    }
                },
                HAND_OVER_MILLIS);
        if (!done) {
            LOG.warn(
                    "{}: the hand-over of the {} takes more than {} ms; it goes on",
                    mountpoint(),
                    part.text(),
                    HAND_OVER_MILLIS);
        }
    }

    private void tryMount() {
        if (stack != null || config == null || standing.isOver()) {
            return;
        }
        standing.tries();
        String missing = parts.missingFor(config);
        if (missing != null) {
            waitFor(missing);
            return;
        }
        standing.name(config);
        MountStack.Up up;
        try {
            up = MountStack.up(config, parts);
        } catch (MountException | Ext4Exception e) {
            fail(e.getMessage());
            return;
        } catch (RuntimeException | LinkageError e) {
            // a part is anyone's code; this mount has failed, others go on
            LOG.error("{}: {}: a part failed", mountpoint(), image(), e);
            fail(e.toString());
            return;
        }
        switches = new Switches(up.stack(), up.services(), parts, limits);
        stack = up.stack();
        config = stack.config; // which may be that of the process before
        stack.whenGone(() -> coordinator.post(this::mountPointGone));
        refusal = null;
        LOG.info(
                "{}: mounted {} with orphan strategy {}",
                mountpoint(),
                image(),
                up.services().strategy().name());
        if (stack.followed != null) {
            KeptConfig.write(config, record);
        }
        standing.settle(State.MOUNTED, null);
        switches.changed(); // services may have come and gone meanwhile
    }

    private void fail(String why) {
        String line = standing.line(why);
        REFUSED.error("{}: not mounted: {}", mountpoint(), line);
        standing.name((MountConfig) null);
        standing.settle(State.FAILED, line);
    }

    private void waitFor(String missing) {
        String line = standing.line(missing);
        if (!line.equals(failure())) {
            REFUSED.warn("{}: not mounted yet: {}", mountpoint(), line);
        }
        standing.settle(State.WAITING, line);
    }

    private void mountPointGone() {
        if (stack != null) {
            LOG.info("{}: unmounted from outside", mountpoint());
            goDown(true);
        }
    }

    /** On the coordinator's thread. False if it is not mounted. */
    boolean goDownUnlessBusy() throws MountException {
        if (stack == null) {
            return false;
        }
        try {
            goDown(false);
            return true;
        } catch (ErrnoException busy) {
            throw new MountException(mountpoint() + ": target is busy");
        }
    }

    /** Throws EBUSY, and changes nothing, only if it is not to go down when busy. */
    private void goDown(boolean evenIfBusy) {
        MountStack down = stack;
        try {
            down.down(evenIfBusy, new OrphanedMountPoint(mountpoint(), evenIfBusy));
            LOG.info("{}: {} is unmounted and clean", mountpoint(), image());
            standing.settle(State.UNMOUNTED, null);
        } catch (ErrnoException busy) {
            if (!evenIfBusy && busy.errno() == Errno.EBUSY) {
                throw busy;
            }
            notClean(busy);
        } catch (RuntimeException e) {
            notClean(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            notClean(new IllegalStateException("interrupted while unmounting", e));
        }
        down.gone();
        stack = null;
        standing.name((MountConfig) null);
        refusal = null;
        standing.ends();
    }

    private void notClean(RuntimeException e) {
        LOG.error("{}: {} could not be left clean", mountpoint(), image(), e);
        standing.settle(State.FAILED, image() + ": could not be left clean: " + e.getMessage());
    }

    /** The configuration was deleted or this bundle stops: unmounts whatever uses it, and joins the thread. */
    void end() {
        coordinator.await(
                () -> {
                    if (stack != null) {
                        goDown(true);
                    } else if (!standing.isOver()) {
                        standing.ends();
                    }
                },
                Long.MAX_VALUE);
        coordinator.close();
    }

    @Override
    public void mount() throws MountException {
        coordinator.call(() -> {
            if (stack == null) {
                start(MountConfig.from(latest));
            }
            if (stack == null) {
                throw new MountException(failure());
            }
            return null;
        });
    }

    @Override
    public void unmount() throws MountException {
        operator.unmount();
    }

    @Override
    public SwapReport strategy(String name) throws MountException {
        return operator.replace(Part.STRATEGY, name);
    }

    @Override
    public SwapReport replace(Part part, String name) throws MountException {
        return operator.replace(part, name);
    }

    @Override
    public String restart() throws MountException {
        return operator.restart(parts, limits);
    }

    @Override
    public void remount(String options) throws MountException {
        operator.remount(options);
    }

    @Override
    public List<OrphanPlace> orphans() throws MountException {
        return operator.orphans();
    }

    @Override
    public String refusal() {
        String change = refusal;
        Switches known = switches;
        return change != null || known == null || stack == null ? change : known.trouble();
    }

    @Override
    public FileSystem fileSystem() {
        MountStack up = stack;
        if (up == null) {
            throw ErrnoException.of(Errno.ENODEV);
        }
        return up.gated;
    }

    @Override
    public Strategies strategies() {
        Choice choice = choice(Part.STRATEGY);
        return new Strategies(choice.current(), choice.named(), choice.available());
    }

    @Override
    public Choice choice(Part part) {
        Switches known = switches;
        MountConfig now = config;
        return known != null
                ? known.choice(part)
                : new Choice(
                        null,
                        now == null ? null : now.precedence(part).named(),
                        parts.of(part).names());
    }

    @Override
    public List<SwapReport> switches() {
        Switches known = switches;
        return known == null ? List.of() : known.reports();
    }

    @Override
    public Map<String, String> status() {
        Map<String, String> lines = MountStatus.of(this, config, stack, switches);
        parts.times.lines(lines);
        return lines;
    }

    @Override
    public String image() {
        return standing.image();
    }

    @Override
    public String mountpoint() {
        return standing.mountpoint();
    }

    @Override
    public State state() {
        return standing.state();
    }

    @Override
    public String failure() {
        return standing.failure();
    }

    @Override
    public CompletableFuture<State> settled() {
        return standing.settled();
    }

    @Override
    public CompletableFuture<State> ended() {
        return standing.ended();
    }
}
