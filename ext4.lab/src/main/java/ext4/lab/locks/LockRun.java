// SPDX-License-Identifier: Apache-2.0
package ext4.lab.locks;

import ext4.lab.locks.LockOrder.Edge;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Runs the work in woven classes and judges what was noted. */
final class LockRun {
    private final Rules rules;
    private final PrintStream out;

    /** @param architecture the page with the order */
    LockRun(String architecture, PrintStream out) {
        rules = new Rules(architecture);
        this.out = out;
    }

    /**
     * Works with and without a journal; how many problems there are.
     *
     * @param planted whether a strategy takes part that looks at an inode where it must not
     */
    int run(long seed, int threads, int steps, boolean planted) throws Exception {
        LockOrder.begin(LockRun::number);
        WatchedLoader loader = new WatchedLoader(LockRun.class.getClassLoader());
        long swaps = 0;
        for (long log = 1; log >= 0; log--) {
            Map<String, Long> settings = Map.of(
                    "seed",
                    seed,
                    "threads",
                    (long) threads,
                    "steps",
                    (long) steps,
                    "log",
                    log,
                    "planted",
                    planted ? 1L : 0);
            swaps += work(loader, settings);
        }
        Map<Edge, String> edges = LockOrder.edges();
        List<String> problems = rules.broken(edges, LockOrder.kinds());
        problems.forEach(out::println);
        out.println("kinds of locks: " + LockOrder.kinds().size() + ", orders: " + edges.size() + ", swaps: " + swaps
                + ", against the order: " + problems.size());
        return problems.size();
    }

    @SuppressWarnings("unchecked")
    private static long work(ClassLoader loader, Map<String, Long> settings) throws Exception {
        Constructor<?> made = loader.loadClass("ext4.lab.locks.LockWork").getConstructor(Map.class);
        return ((Callable<Long>) made.newInstance(settings)).call();
    }

    /** Locks of inodes are taken by ascending number. */
    private static long number(Object owner) {
        if (!owner.getClass().getName().equals("ext4.core.inode.Inode")) {
            return -1;
        }
        try {
            Field ino = owner.getClass().getField("ino");
            return Integer.toUnsignedLong(ino.getInt(owner));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
