// SPDX-License-Identifier: Apache-2.0
package ext4.bench.jmh;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanList;
import ext4.bench.Stack;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** An inode put on the orphan list and taken off it, each thread with an inode of its own. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OrphanPair {
    private static final int INODES = 65_536;
    private static final int DISTANCE = 257;

    /** The list, shared by all threads. */
    @State(Scope.Benchmark)
    public static class Shared {
        /** The strategy. */
        @Param({"global", "sharded"})
        public String strategy;

        private final AtomicInteger next = new AtomicInteger();
        private OrphanList list;

        /** A new list. */
        @Setup
        public void attach() {
            list = Stack.strategy(strategy).attach(new FlatStore(INODES), List.of());
        }
    }

    /** What a thread has for itself. */
    @State(Scope.Thread)
    public static class Own {
        private int ino;
        private Handle handle;

        /** An inode that no other thread has. */
        @Setup
        public void take(Shared shared) {
            ino = 16 + shared.next.getAndIncrement() * DISTANCE;
            handle = new FreeHandle(shared.list);
        }
    }

    /** The pair. */
    @Benchmark
    public void addAndRemove(Shared shared, Own own) {
        shared.list.add(own.handle, own.ino);
        shared.list.remove(own.handle, own.ino);
    }
}
