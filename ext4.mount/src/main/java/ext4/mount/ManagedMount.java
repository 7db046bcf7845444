// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.FileSystem;
import ext4.api.fs.SwapReport;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
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
    /** How long the end of a service waits for the hand-over; below the 5 s that SCR waits for its locks. */
    private static final long HAND_OVER_MILLIS = 3000;

    private final Parts parts;
    private final MountRecord record;
    private final String image;
    private final String mountpoint;
    private final Coordinator coordinator;
    private final CompletableFuture<State> ended = new CompletableFuture<>();

    /** Replaced when a waiting mount tries again. Written by the coordinator. */
    private volatile CompletableFuture<State> settled = new CompletableFuture<>();

    private volatile State state = State.MOUNTING;
    private volatile String failure;
    /** Null if the configuration is not valid. Written by the coordinator. */
    private volatile MountConfig config;
    /** Null unless mounted. Written by the coordinator. */
    private volatile MountStack stack;
    /** Null before the first mount. Written by the coordinator. */
    private volatile StrategySwitch strategies;

    ManagedMount(Map<String, ?> properties, Parts parts, MountRecord record) {
        this.parts = parts;
        this.record = record;
        image = MountConfig.text(properties, IMAGE);
        mountpoint = MountConfig.text(properties, MOUNTPOINT);
        coordinator = new Coordinator("ext4 mount " + mountpoint);
        configure(properties);
    }

    /** The configuration is new or was changed. Returns at once. */
    void configure(Map<String, ?> properties) {
        coordinator.post(() -> {
            MountConfig old = config;
            try {
                config = MountConfig.from(properties);
            } catch (MountException e) {
                if (stack == null) {
                    fail(e.getMessage());
                } else {
                    LOG.error("{}: goes on as it was: {}", mountpoint, e.getMessage());
                }
                return;
            }
            if (stack == null) {
                tryMount();
                return;
            }
            stack.gate.limit(TimeUnit.SECONDS.toNanos(config.limitSeconds()));
            strategies.precedence(config.precedence());
            if (!sameMount(old, config)) {
                LOG.warn(
                        "{}: image, mountpoint, options or transport changed; they hold from the next mount",
                        mountpoint);
            }
        });
    }

    private static boolean sameMount(MountConfig old, MountConfig now) {
        return old.image().equals(now.image())
                && old.mountpoint().equals(now.mountpoint())
                && old.options().equals(now.options())
                && Objects.equals(old.transport(), now.transport());
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
            settle(State.WAITING, line(missing));
            return;
        }
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
        LOG.info("{}: mounted {} with orphan strategy {}", mountpoint, image, strategy.name());
        settle(State.MOUNTED, null);
        strategies.changed(null); // services may have come and gone meanwhile
    }

    private void fail(String why) {
        String line = line(why);
        LOG.info("{}: not mounted: {}", mountpoint, line); // whoever asked for it tells it as an error
        settle(State.FAILED, line);
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
        stack = null;
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
    public void unmount() throws MountException {
        coordinator.call(() -> {
            if (stack == null) {
                return null;
            }
            try {
                goDown(false);
            } catch (ErrnoException busy) {
                throw new MountException(mountpoint + ": target is busy");
            }
            return null;
        });
        try {
            record.delete();
        } catch (IOException e) {
            throw new MountException(mountpoint + ": unmounted, but its configuration stays: " + e.getMessage());
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
            return strategies.choose(name);
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
