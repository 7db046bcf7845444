// SPDX-License-Identifier: Apache-2.0
package ext4.lab.locks;

import ext4.api.block.BlockDevice;
import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import ext4.api.fs.MountOptions;
import ext4.api.fs.PinnedInodes;
import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanStrategy;
import ext4.core.mkfs.Mkfs;
import ext4.core.mkfs.MkfsOptions;
import ext4.core.mount.Ext4CoreProvider;
import ext4.device.MemoryBlockDevice;
import ext4.journal.Jbd2Provider;
import ext4.journal.NoLogProvider;
import ext4.journal.plain.PlainJournalProvider;
import ext4.lab.stack.Stack;
import ext4.mount.gate.Gate;
import ext4.mount.gate.GatedFileSystem;
import ext4.mount.gate.Part;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A mount without a container: threads behind its gate, and one that replaces strategy, journal and core, as the coordinator
 * of a mount does. Made by {@link WatchedLoader}, so it can be given and give only what is of the JDK.
 */
public final class LockWork implements Callable<Long> {
    private static final long IMAGE = 96L << 20;
    private static final int DIRECTORIES = 4;
    private static final int ROOT = 2;
    private static final long FOREVER = Long.MAX_VALUE / 4;
    private static final MountOptions OPTIONS = MountOptions.DEFAULTS;

    private final long seed;
    private final int threads;
    private final int steps;
    private final boolean log;
    private final boolean planted;
    private final Random random;
    private final Gate gate = new Gate("locks", FOREVER);
    private BlockDevice device;
    private CoreFileSystem core;
    private GatedFileSystem gated;
    private JournalProvider journal;
    private long swaps;

    /** Settings by name: seed, threads, steps of each, log (whether there is a journal), planted. */
    public LockWork(Map<String, Long> settings) {
        seed = settings.get("seed");
        threads = settings.get("threads").intValue();
        steps = settings.get("steps").intValue();
        log = settings.get("log") != 0;
        planted = settings.get("planted") != 0;
        random = new Random(seed);
        journal = log ? new Jbd2Provider() : new NoLogProvider();
    }

    /** Runs; how many parts were replaced. */
    @Override
    public Long call() throws Exception {
        try (BlockDevice memory = new MemoryBlockDevice("locks in memory", IMAGE)) {
            device = memory;
            String features = log ? "orphan_file" : "^has_journal,^orphan_file";
            Mkfs.run(
                    memory,
                    new MkfsOptions().blockSize(1024).features(features).journalBytes(log ? 4 << 20 : 0),
                    new PrintWriter(Writer.nullWriter()));
            core = new Ext4CoreProvider().mount(memory, OPTIONS, journal, "sharded", strategy("sharded"));
            try {
                gated = new GatedFileSystem(gate, core, false);
                work();
            } finally {
                core.close();
            }
        }
        return swaps;
    }

    private void work() throws Exception {
        int[] directories = new int[DIRECTORIES];
        for (int i = 0; i < DIRECTORIES; i++) {
            Attributes out = new Attributes();
            gated.mkdir(Credentials.ROOT, ROOT, LockLoad.bytes("d" + i), 0755, out);
            directories[i] = out.ino;
        }
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (int i = 0; i < threads; i++) {
                running.add(pool.submit(new LockLoad(gated, seed * 31 + i, steps, directories)));
            }
            while (!running.stream().allMatch(Future::isDone)) {
                swap();
                core.status();
                core.orphans();
            }
        }
        for (Future<?> done : running) {
            done.get();
        }
        core.awaitEvictions();
    }

    private void swap() throws InterruptedException {
        String name = Stack.STRATEGIES.get(random.nextInt(Stack.STRATEGIES.size()));
        LockOrder.approaches("swap");
        LockOrder.inside("swap");
        try {
            switch (random.nextInt(4)) {
                case 0 -> replaceCore(name);
                case 1 -> replaceJournal();
                default -> core.swapOrphanStrategy(name, strategy(name));
            }
            swaps++;
        } finally {
            LockOrder.left("swap");
        }
    }

    private OrphanStrategy strategy(String name) {
        OrphanStrategy real = Stack.strategy(name);
        return planted ? (store, present) -> curious(real.attach(store, present)) : real;
    }

    /** A list that looks at the root directory before it adds an inode. */
    private OrphanList curious(OrphanList list) {
        return (OrphanList) Proxy.newProxyInstance(
                OrphanList.class.getClassLoader(), new Class<?>[] {OrphanList.class}, (proxy, method, with) -> {
                    if (method.getName().equals("add")) {
                        core.setattr(Credentials.ROOT, ROOT, new AttributeChange(), new Attributes());
                    }
                    try {
                        return method.invoke(list, with);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void replaceJournal() {
        JournalProvider next =
                !log ? new NoLogProvider() : random.nextBoolean() ? new Jbd2Provider() : new PlainJournalProvider();
        core.swapJournal(journal, next);
        journal = next;
    }

    private void replaceCore(String strategy) throws InterruptedException {
        core.prepareFreeze();
        gate.hold(Part.CORE);
        try {
            gate.drain(Part.CORE, FOREVER);
            PinnedInodes pins = core.freeze();
            CoreFileSystem next =
                    new Ext4CoreProvider().adopt(device, OPTIONS, journal, strategy, strategy(strategy), pins);
            core.close();
            core = next;
            gated.publish(next);
        } finally {
            gate.open(Part.CORE);
        }
        gated.replayForgets();
    }
}
