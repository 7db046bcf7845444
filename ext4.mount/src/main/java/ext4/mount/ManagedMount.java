// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.FileSystem;
import ext4.api.fs.SwapReport;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStrategy;
import ext4.mount.swap.Candidate;
import ext4.mount.swap.Coordinator;
import ext4.mount.swap.StrategySwitch;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One configured mount: comes up as soon as its parts are there, keeps the right strategy at work, goes down. Everything
 * that changes it happens on its coordinator's thread.
 */
final class ManagedMount implements Mount {
    private static final Logger LOG = LoggerFactory.getLogger(ManagedMount.class);
    /** Mounts that don't come up; a logger of its own since a command that asked for one tells it itself. */
    private static final Logger REFUSED = LoggerFactory.getLogger("ext4.mount.refused");
    /** How long the end of a service waits for the hand-over; below the 5 s that SCR waits for its locks. */
    private static final long HAND_OVER_MILLIS = 3000;

    private final Parts parts;
    private final MountRecord record;
    private final Coordinator coordinator;
    /** Written with this held. */
    private volatile String image;
    /** Written with this held. */
    private volatile String mountpoint;
    /** Whether image and mount point are those of a mount that is up or comes up. Guarded by this. */
    private boolean named;

    /** The configuration as it reads now, valid or not. Written by the coordinator. */
    private Map<String, ?> latest;
    /** Replaced when what was unmounted is mounted again. Written by the coordinator. */
    private volatile CompletableFuture<State> ended = new CompletableFuture<>();

    /** Replaced when a waiting mount tries again. Written by the coordinator. */
    private volatile CompletableFuture<State> settled = new CompletableFuture<>();

    private volatile State state = State.MOUNTING;
    private volatile String failure;
    /** Why the latest change of the configuration is not at work, or null. Written by the coordinator. */
    private volatile String refusal;
    /** Null if the configuration is not valid. Written by the coordinator. */
    private volatile MountConfig config;
    /** Null unless mounted. Written by the coordinator. */
    private volatile MountStack stack;
    /** Null before the first mount. Written by the coordinator. */
    private volatile StrategySwitch strategies;

    ManagedMount(Map<String, ?> properties, Parts parts, MountRecord record) {
        this.parts = parts;
        this.record = record;
        name(properties);
        coordinator = new Coordinator("ext4 mount " + mountpoint);
        coordinator.post(() -> begin(properties));
    }

    private void begin(Map<String, ?> properties) {
        try {
            if (record.deleteIfAbandoned()) {
                latest = properties;
                LOG.info("{}: the file of its configuration is gone, and so is the configuration", mountpoint);
                settle(State.FAILED, line("the file of its configuration is gone"));
                return;
            }
        } catch (IOException | IllegalStateException e) {
            LOG.warn("{}: its configuration can't be looked at: {}", mountpoint, e.getMessage());
        }
        take(properties);
    }

    /** The configuration is new or was changed. Returns at once. */
    void configure(Map<String, ?> properties) {
        name(properties);
        coordinator.post(() -> take(properties));
    }

    /** Image and mount point as the operator sees them: of the mount that is up, else as configured. */
    private synchronized void name(Map<String, ?> properties) {
        if (!named) {
            image = MountConfig.text(properties, IMAGE);
            mountpoint = MountConfig.text(properties, MOUNTPOINT);
        }
    }

    private synchronized void name(MountConfig up) {
        named = up != null;
        if (named) {
            image = up.image();
            mountpoint = up.mountpoint();
        }
    }

    private void take(Map<String, ?> properties) {
        latest = properties;
        MountConfig next;
        try {
            next = MountConfig.from(properties);
        } catch (MountException e) {
            if (stack == null) {
                config = null; // not even the last valid one: a part that comes must not mount it
                name(properties);
                fail(e.getMessage());
            } else {
                refuse(e.getMessage());
            }
            return;
        }
        if (stack != null) {
            change(next);
        } else if (!ended.isDone() || !next.equals(config)) {
            start(next);
        }
    }

    /** Mounts, or mounts again. */
    private void start(MountConfig next) {
        if (ended.isDone()) {
            ended = new CompletableFuture<>();
        }
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
                remount(next.readOnly());
            }
        } catch (MountException e) {
            refuse(e.getMessage());
            return;
        }
        config = next;
        refusal = null;
        stack.gate.limit(TimeUnit.SECONDS.toNanos(next.limitSeconds()));
        strategies.precedence(next.precedence());
    }

    private void remount(boolean readOnly) throws MountException {
        Remount remount = new Remount(stack);
        if (readOnly) {
            remount.readOnly();
        } else {
            remount.readWrite(parts, strategies.current());
        }
        config = config.withReadOnly(readOnly);
        LOG.info("{}: remounted {}", mountpoint, readOnly ? "read-only" : "read-write");
    }

    private void refuse(String why) {
        refusal = why;
        LOG.error("{}: the changed configuration is refused, the mount goes on as it was: {}", mountpoint, why);
    }

    /** A service that is not an orphan strategy came. */
    void partCame() {
        coordinator.post(this::tryMount);
    }

    /** A strategy came or its properties changed. */
    void strategyCame(Object key) {
        coordinator.post(() -> {
            if (stack == null) {
                tryMount();
            } else {
                strategies.changed(key);
            }
        });
    }

    /** A strategy is about to go: returns when it is out of use, or after 3 s. */
    void strategyGoes(Object key) {
        boolean done = coordinator.await(
                () -> {
                    if (stack != null) {
                        strategies.changed(key);
                    }
                },
                HAND_OVER_MILLIS);
        if (!done) {
            LOG.warn(
                    "{}: the hand-over of an orphan strategy takes more than {} ms; it goes on",
                    mountpoint,
                    HAND_OVER_MILLIS);
        }
    }

    /** A service other than a strategy is about to go. */
    void partGoes(String kind) {
        if (stack != null) {
            LOG.warn("{}: its {} service goes; the mount keeps the one it has until it is unmounted", mountpoint, kind);
        }
    }

    private void tryMount() {
        if (stack != null || config == null || ended.isDone()) {
            return;
        }
        if (state != State.MOUNTING) {
            settled = new CompletableFuture<>();
            state = State.MOUNTING;
        }
        String missing = parts.missingFor(config);
        if (missing != null) {
            waitFor(missing);
            return;
        }
        name(config);
        Candidate<OrphanStrategy> strategy = parts.strategy(config);
        try {
            MountStack up = MountStack.up(config, parts, strategy);
            strategies = new StrategySwitch(mountpoint, parts.strategies, config.precedence(), strategy, up);
            stack = up;
        } catch (MountException | Ext4Exception e) {
            fail(e.getMessage());
            return;
        } catch (RuntimeException | LinkageError e) {
            // a part is anyone's code; this mount has failed, others go on
            LOG.error("{}: {}: a part failed", mountpoint, image, e);
            fail(e.toString());
            return;
        }
        if (stack.session != null) {
            stack.session.ended().whenComplete((gone, error) -> coordinator.post(this::mountPointGone));
        }
        refusal = null;
        LOG.info("{}: mounted {} with orphan strategy {}", mountpoint, image, strategy.name());
        settle(State.MOUNTED, null);
        strategies.changed(null); // services may have come and gone meanwhile
    }

    private void fail(String why) {
        String line = line(why);
        REFUSED.error("{}: not mounted: {}", mountpoint, line);
        name((MountConfig) null);
        settle(State.FAILED, line);
    }

    private void waitFor(String missing) {
        String line = line(missing);
        if (!line.equals(failure)) {
            REFUSED.warn("{}: not mounted yet: {}", mountpoint, line);
        }
        settle(State.WAITING, line);
    }

    private String line(String why) {
        return why.contains(image) || why.contains(mountpoint) ? why : image + ": " + why;
    }

    private void settle(State now, String why) {
        failure = why;
        state = now;
        settled.complete(now);
    }

    private void mountPointGone() {
        if (stack != null) {
            LOG.info("{}: unmounted from outside", mountpoint);
            goDown(true);
        }
    }

    /** Throws EBUSY, and changes nothing, only if it is not to go down when busy. */
    private void goDown(boolean evenIfBusy) {
        MountStack down = stack;
        try {
            down.down(evenIfBusy);
            LOG.info("{}: {} is unmounted and clean", mountpoint, image);
            settle(State.UNMOUNTED, null);
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
        name((MountConfig) null);
        refusal = null;
        ended.complete(state);
    }

    private void notClean(RuntimeException e) {
        LOG.error("{}: {} could not be left clean", mountpoint, image, e);
        settle(State.FAILED, image + ": could not be left clean: " + e.getMessage());
    }

    /** The configuration was deleted or this bundle stops: unmounts whatever uses it, and joins the thread. */
    void end() {
        coordinator.await(
                () -> {
                    if (stack != null) {
                        goDown(true);
                    } else if (!ended.isDone()) {
                        ended.complete(state);
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
                throw new MountException(failure);
            }
            return null;
        });
    }

    @Override
    public void unmount() throws MountException {
        boolean was = coordinator.call(() -> {
            if (stack == null) {
                return false;
            }
            try {
                goDown(false);
            } catch (ErrnoException busy) {
                throw new MountException(mountpoint + ": target is busy");
            }
            return true;
        });
        boolean deleted;
        try {
            deleted = record.delete();
        } catch (IOException e) {
            throw new MountException(mountpoint + ": unmounted, but its configuration stays: " + e.getMessage());
        }
        if (!was && !deleted) {
            throw new MountException(mountpoint + ": not mounted");
        }
        if (state == State.FAILED && ended.isDone()) {
            throw new MountException(failure);
        }
    }

    @Override
    public SwapReport strategy(String name) throws MountException {
        SwapReport report = coordinator.call(() -> {
            if (stack == null) {
                throw new MountException(mountpoint + ": not mounted");
            }
            SwapReport done = strategies.choose(name);
            config = config.withStrategy(name); // what is written below comes back as a change
            return done;
        });
        try {
            record.strategy(name);
        } catch (IOException e) {
            throw new MountException("switched to '" + name + "', but its configuration can't be written, so the next"
                    + " mount will not know: " + e.getMessage());
        }
        return report;
    }

    @Override
    public void remount(String options) throws MountException {
        boolean readOnly = coordinator.call(() -> {
            if (stack == null) {
                throw new MountException(mountpoint + ": not mounted");
            }
            // what is not named stays; the words before are in the configuration
            Object before = latest.get(OPTIONS);
            String base = OptionString.withReadOnly(before == null ? "" : before.toString(), stack.core.readOnly());
            OptionString asked = OptionString.parse(base + "," + options);
            if (!config.options().sameBut(asked)
                    || !Objects.equals(config.options().orphan(), asked.orphan())) {
                throw new MountException(
                        mountpoint + ": a remount changes nothing but ro and rw; asked for '" + options + "'");
            }
            remount(asked.options().readOnly());
            return asked.options().readOnly();
        });
        try {
            record.readOnly(readOnly);
        } catch (IOException e) {
            throw new MountException(
                    "remounted, but its configuration can't be written, so the next mount will not know: "
                            + e.getMessage());
        }
    }

    @Override
    public List<OrphanPlace> orphans() throws MountException {
        return coordinator.call(() -> {
            if (stack == null) {
                throw new MountException(mountpoint + ": not mounted");
            }
            return stack.core.orphans();
        });
    }

    @Override
    public String refusal() {
        String change = refusal;
        StrategySwitch known = strategies;
        if (change != null || known == null || stack == null) {
            return change;
        }
        return known.trouble() == null
                ? null
                : known.trouble() + "; available: " + String.join(", ", parts.strategies.names());
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
        StrategySwitch known = strategies;
        MountConfig now = config;
        if (known != null) {
            return known.strategies();
        }
        return new Strategies(null, now == null ? null : now.precedence().named(), parts.strategies.names());
    }

    @Override
    public List<SwapReport> switches() {
        StrategySwitch known = strategies;
        return known == null ? List.of() : known.reports();
    }

    @Override
    public Map<String, String> status() {
        return MountStatus.of(this, config, stack, strategies);
    }

    @Override
    public String image() {
        return image;
    }

    @Override
    public String mountpoint() {
        return mountpoint;
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public String failure() {
        return failure;
    }

    @Override
    public CompletableFuture<State> settled() {
        return settled.copy();
    }

    @Override
    public CompletableFuture<State> ended() {
        return ended.copy();
    }
}
