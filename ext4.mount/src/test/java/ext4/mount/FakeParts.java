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
import ext4.api.fs.MountOptions;
import ext4.api.fs.MountPoint;
import ext4.api.fs.SwapReport;
import ext4.api.fs.Transport;
import ext4.api.fs.TransportSession;
import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanStrategy;
import ext4.mount.swap.Candidate;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Parts that note what is done with them, in order, and fail on demand. */
final class FakeParts {
    final Parts parts = new Parts();
    final List<String> log = new CopyOnWriteArrayList<>();
    private final AtomicLong ids = new AtomicLong();

    volatile boolean journals = true;
    volatile boolean busy;
    volatile boolean busyKernel;
    volatile boolean readOnly;
    volatile RuntimeException remountFails;
    volatile String transportFails;
    volatile RuntimeException coreFails;
    volatile CompletableFuture<Void> mountPoint;
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
        parts.devices.put(candidate(null, new BlockDeviceProvider() {
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
                        BlockDevice.class, Map.of("close", () -> log.add("close device"), "readOnly", () -> readOnly));
            }
        }));
    }

    void core() {
        parts.cores.put(candidate(null, new CoreProvider() {
            @Override
            public CoreFileSystem mount(
                    BlockDevice device,
                    MountOptions options,
                    JournalProvider journal,
                    String name,
                    OrphanStrategy with) {
                if (coreFails != null) {
                    throw coreFails;
                }
                log.add("mount core " + name);
                readOnly = options.readOnly();
                strategy = name;
                return filesystem();
            }

            @Override
            public boolean needsJournal(BlockDevice device) {
                return journals;
            }
        }));
    }

    private CoreFileSystem filesystem() {
        return (CoreFileSystem) Proxy.newProxyInstance(
                FakeParts.class.getClassLoader(), new Class<?>[] {CoreFileSystem.class}, (p, method, args) -> {
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
                        case "readOnly" -> {
                            return readOnly;
                        }
                        case "remountReadOnly", "remountReadWrite" -> {
                            if (remountFails != null) {
                                throw remountFails;
                            }
                            log.add(method.getName());
                            readOnly = method.getName().equals("remountReadOnly");
                        }
                        case "syncfs" -> log.add("syncfs");
                        case "status" -> {
                            return Map.of("features", "some");
                        }
                        case "close" -> log.add("close core");
                        case "unlink", "forget" -> log.add(method.getName());
                        case "awaitEvictions" -> {}
                        default -> throw new AssertionError("not expected: " + method);
                    }
                    return null;
                });
    }

    void journal() {
        for (boolean keepsLog : new boolean[] {true, false}) {
            parts.journals.put(candidate(null, fake(JournalProvider.class, Map.of("journals", () -> keepsLog))));
        }
    }

    Object strategy(String name) {
        Candidate<OrphanStrategy> candidate = candidate(name, fake(OrphanStrategy.class, Map.of()));
        parts.strategies.put(candidate);
        return candidate.key();
    }

    void transport() {
        transport("fuse", 0, null);
    }

    /** A transport that the host allows if {@code unavailable} is null. */
    void transport(String name, int ranking, String unavailable) {
        long id = ids.incrementAndGet();
        parts.transports.put(new Candidate<>("key " + id, name, ranking, id, new Transport() {
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
        }));
    }

    private TransportSession session(String name) {
        return fake(
                TransportSession.class,
                Map.of(
                        "remount",
                        this::remountMountPoint,
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

    private <T> Candidate<T> candidate(String name, T service) {
        long id = ids.incrementAndGet();
        return new Candidate<>("key " + id, name, 0, id, service);
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
