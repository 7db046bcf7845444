// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.block.BlockDevice;
import ext4.api.block.BlockDeviceProvider;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.CoreProvider;
import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import ext4.api.fs.HandOver;
import ext4.api.fs.MountOptions;
import ext4.api.fs.MountPoint;
import ext4.api.fs.PinnedInodes;
import ext4.api.fs.StatFs;
import ext4.api.fs.SwapReport;
import ext4.api.fs.Transport;
import ext4.api.fs.TransportSession;
import ext4.api.fs.TransportState;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.api.journal.JournalRecovery;
import ext4.api.keep.Keeper;
import ext4.api.orphan.OrphanStrategy;
import ext4.mount.swap.Candidate;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Parts that note what is done with them, in order, and fail on demand. */
final class FakeParts {
    final Parts parts = new Parts();
    final List<String> log = new CopyOnWriteArrayList<>();
    private final AtomicLong ids = new AtomicLong();

    volatile boolean journals = true;
    /** What its core says of the journal. */
    volatile String journalState = "running";

    volatile boolean busy;
    volatile boolean busyKernel;
    volatile boolean readOnly;
    volatile RuntimeException remountFails;
    volatile String transportFails;
    volatile RuntimeException coreFails;
    volatile CompletableFuture<Void> mountPoint;
    /** Gets what became of a core that lost the device while it took over. */
    volatile CompletableFuture<Throwable> lateAdopt = new CompletableFuture<>();

    private final Map<String, Runnable> steps = new ConcurrentHashMap<>();
    private volatile String strategy;

    FakeParts all() {
        device();
        core();
        journal();
        strategy("global");
        transport();
        return this;
    }

    void device() {
        parts.devices.put(candidate(null, 0, new BlockDeviceProvider() {
            @Override
            public boolean handles(String spec) {
                return !spec.startsWith("odd:");
            }

            @Override
            public BlockDevice open(String spec, boolean readOnly) {
                if (spec.equals("/missing")) {
                    throw new DeviceException("/missing: No such file or directory");
                }
                log.add("open " + spec + (readOnly ? " ro" : ""));
                return fake(
                        BlockDevice.class,
                        Map.of(
                                "close",
                                () -> log.add("close device"),
                                "readOnly",
                                () -> readOnly,
                                "name",
                                () -> spec,
                                "read",
                                () -> null));
            }
        }));
    }

    /** Throws what can't be declared. */
    @SuppressWarnings("unchecked")
    static <T extends Throwable> void sneak(Throwable what) throws T {
        throw (T) what;
    }

    /** Waits whatever comes. */
    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Does what the test wants at a step, named by the method and the part: {@code "freeze ext4"}. */
    void at(String step, Runnable what) {
        steps.put(step, what);
    }

    private void step(String step) {
        Runnable what = steps.get(step);
        if (what != null) {
            what.run();
        }
    }

    Object core() {
        return core("ext4", 0);
    }

    Object core(String name, int ranking) {
        Candidate<CoreProvider> candidate = candidate(name, ranking, new CoreProvider() {
            @Override
            public CoreFileSystem mount(
                    BlockDevice device,
                    MountOptions options,
                    JournalProvider journal,
                    String strategyName,
                    OrphanStrategy with) {
                if (coreFails != null) {
                    throw coreFails;
                }
                log.add("mount core " + strategyName);
                readOnly = options.readOnly();
                strategy = strategyName;
                return filesystem(name);
            }

            @Override
            public CoreFileSystem adopt(
                    BlockDevice device,
                    MountOptions options,
                    JournalProvider journal,
                    String strategyName,
                    OrphanStrategy with,
                    PinnedInodes pins) {
                device.read(0, ByteBuffer.allocate(1));
                step("adopt " + name);
                try {
                    device.read(0, ByteBuffer.allocate(1)); // it still has the device
                } catch (DeviceException e) {
                    lateAdopt.complete(e);
                    throw e;
                }
                log.add("adopt " + name + " " + pins.size() + (options.readOnly() == readOnly ? "" : " ro"));
                return filesystem(name);
            }

            @Override
            public boolean needsJournal(BlockDevice device) {
                return journals;
            }
        });
        parts.cores.put(candidate);
        return candidate.key();
    }

    private PinnedInodes freeze(String name) {
        log.add("freeze " + name);
        PinnedInodes pins = new PinnedInodes(1);
        pins.add(12, 1, 1, true);
        pins.frozen(true, 2, 8192);
        return pins;
    }

    private void remount(String verb) {
        if (remountFails != null) {
            throw remountFails;
        }
        log.add(verb);
        readOnly = verb.equals("remountReadOnly");
    }

    private CoreFileSystem filesystem(String name) {
        AtomicBoolean frozen = new AtomicBoolean();
        return (CoreFileSystem) Proxy.newProxyInstance(
                FakeParts.class.getClassLoader(), new Class<?>[] {CoreFileSystem.class}, (p, method, args) -> {
                    step(method.getName() + " " + name);
                    switch (method.getName()) {
                        case "swapOrphanStrategy" -> {
                            String from = strategy;
                            strategy = (String) args[0];
                            log.add("swap " + strategy);
                            return new SwapReport(from, strategy, 2, 30, 1);
                        }
                        case "detachOrphanStrategy" -> {
                            log.add("detach strategy");
                            return new SwapReport(strategy, "none", 2, 30, 1);
                        }
                        case "swapJournal" -> {
                            ((Provider) args[1]).open();
                            log.add("swap journal " + args[0] + " " + args[1]);
                            return new HandOver(2, 40, 4096);
                        }
                        case "detachJournal" -> {
                            log.add("detach journal");
                            return new HandOver(2, 40, 4096);
                        }
                        case "freeze" -> {
                            frozen.set(true);
                            return freeze(name);
                        }
                        case "thaw" -> {
                            log.add("thaw " + name);
                            frozen.set(false);
                        }
                        case "prepareFreeze" -> {}
                        case "readOnly" -> {
                            return readOnly || frozen.get();
                        }
                        case "remountReadOnly", "remountReadWrite" -> remount(method.getName());
                        case "syncfs" -> log.add("syncfs");
                        case "status" -> {
                            return Map.of("features", "some", "journal", journalState);
                        }
                        case "close" -> log.add("close core");
                        case "unlink", "forget", "write", "getattr" -> {
                            log.add(method.getName());
                            return method.getName().equals("write") ? 1 : null;
                        }
                        case "awaitEvictions" -> {}
                        case "statfs" -> {
                            return new StatFs(4096, 100, 50, 50, 1000, 900, 255);
                        }
                        default -> throw new AssertionError("not expected: " + method);
                    }
                    return null;
                });
    }

    /** A journal provider whose journals can be opened, or not. */
    private record Provider(FakeParts fakes, String name, boolean journals) implements JournalProvider {
        @Override
        public JournalRecovery recover(JournalHost host) {
            throw new AssertionError("the core does that");
        }

        @Override
        public Journal open(JournalHost host, JournalOptions options) {
            throw new AssertionError("the core does that");
        }

        void open() {
            fakes.step("open " + name);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    void journal() {
        journal("jbd2", true);
        journal("none", false);
    }

    Object journal(String name, boolean keepsLog) {
        return journal(name, keepsLog, 0);
    }

    Object journal(String name, boolean keepsLog, int ranking) {
        Candidate<JournalProvider> candidate = candidate(name, ranking, new Provider(this, name, keepsLog));
        parts.journals.put(candidate);
        return candidate.key();
    }

    Object strategy(String name) {
        return strategy(name, 0);
    }

    Object strategy(String name, int ranking) {
        Candidate<OrphanStrategy> candidate = candidate(name, ranking, fake(OrphanStrategy.class, Map.of()));
        parts.strategies.put(candidate);
        return candidate.key();
    }

    Object transport() {
        return transport("fuse", 0, null);
    }

    /** A transport that the host allows if {@code unavailable} is null. */
    Object transport(String name, int ranking, String unavailable) {
        Candidate<Transport> candidate = candidate(name, ranking, new Transport() {
            @Override
            public String unavailable() {
                return unavailable;
            }

            @Override
            public void check(MountPoint where) {
                if (unavailable != null) {
                    throw new DeviceException(unavailable);
                }
            }

            @Override
            public TransportSession mount(MountPoint where, FileSystem fs) {
                if (transportFails != null) {
                    throw new DeviceException(transportFails);
                }
                log.add("mount point");
                mountPoint = new CompletableFuture<>();
                return session(name);
            }

            @Override
            public TransportSession resume(MountPoint where, FileSystem fs, TransportState state) {
                step("resume " + name);
                log.add("resume " + name + " " + state.transport());
                mountPoint = new CompletableFuture<>();
                return session(name);
            }
        });
        parts.transports.put(candidate);
        return candidate.key();
    }

    private TransportSession session(String name) {
        return fake(
                TransportSession.class,
                Map.of(
                        "remount",
                        this::remountMountPoint,
                        "suspend",
                        () -> {
                            step("suspend " + name);
                            log.add("suspend " + name);
                            return new TransportState(name, List.of(), Map.of(), Map.of(), false);
                        },
                        "state",
                        () -> new TransportState(name, List.of(), Map.of(), Map.of(), false),
                        "whenStateChanges",
                        () -> null,
                        "transport",
                        () -> name,
                        "ended",
                        () -> mountPoint,
                        "counters",
                        Map::of,
                        "close",
                        this::closeSession,
                        "detach",
                        () -> {
                            log.add("detach mount point");
                            return mountPoint.complete(null);
                        }));
    }

    private Object remountMountPoint() {
        if (busyKernel) {
            throw ErrnoException.of(Errno.EBUSY);
        }
        return log.add("remount mount point");
    }

    private Object closeSession() {
        if (busy) {
            throw ErrnoException.of(Errno.EBUSY);
        }
        log.add("close mount point");
        return mountPoint.complete(null);
    }

    void keeper(String name, Keeper keeper) {
        parts.keepers.put(candidate(name, 0, keeper));
    }

    private <T> Candidate<T> candidate(String name, int ranking, T service) {
        long id = ids.incrementAndGet();
        return new Candidate<>("key " + id, name, ranking, id, service, () -> "ext4.fake");
    }

    private interface Answer {
        Object get() throws InvocationTargetException;
    }

    /** An object with these methods; any other fails the test. */
    private static <T> T fake(Class<T> type, Map<String, Answer> answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (p, method, args) -> {
            Answer answer = answers.get(method.getName());
            if (answer == null) {
                throw new AssertionError("not expected: " + method);
            }
            Object result = answer.get();
            return method.getReturnType() == void.class ? null : result;
        }));
    }
}
