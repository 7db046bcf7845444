// SPDX-License-Identifier: Apache-2.0
package ext4.bench.jmh;

import ext4.api.block.BlockDevice;
import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import ext4.bench.Stack;
import ext4.core.mkfs.Mkfs;
import ext4.core.mkfs.MkfsOptions;
import ext4.device.MemoryBlockDevice;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
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
import org.openjdk.jmh.annotations.TearDown;

/** One change of owner in the core alone, each thread on a file of its own. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Setattr {
    private static final int ROOT = 2;
    private static final long BYTES = 256L << 20;

    /** The filesystem, shared by all threads. */
    @State(Scope.Benchmark)
    public static class Shared {
        /** With or without. */
        @Param({"none", "journal"})
        public String journal;

        /** Removes an orphan always, or only one that it added. */
        @Param({"if-added", "always"})
        public String remove;

        /** The strategy. */
        @Param({"global", "sharded"})
        public String strategy;

        private final AtomicInteger next = new AtomicInteger();
        private BlockDevice device;
        private CoreFileSystem fs;

        /** A new filesystem in memory. */
        @Setup
        public void mount() {
            device = new MemoryBlockDevice("memory", BYTES);
            MkfsOptions options = new MkfsOptions().features(journal.equals("none") ? "^has_journal" : "");
            Mkfs.run(device, options.zeroed(true), new PrintWriter(Writer.nullWriter()));
            fs = Stack.mount(device, strategy, remove.equals("always"), 1);
        }

        /** Unmounts. */
        @TearDown
        public void unmount() {
            fs.close();
            device.close();
        }
    }

    /** What a thread has for itself. */
    @State(Scope.Thread)
    public static class Own {
        private final Attributes attributes = new Attributes();
        private final AttributeChange change = new AttributeChange();
        private int ino;

        /** A file that no other thread has. */
        @Setup
        public void create(Shared shared) {
            byte[] name = ("f" + shared.next.getAndIncrement()).getBytes(StandardCharsets.US_ASCII);
            shared.fs.create(Credentials.ROOT, ROOT, name, 0644, attributes);
            ino = attributes.ino;
            change.valid = AttributeChange.UID | AttributeChange.GID | AttributeChange.KILL_PRIVILEGES;
        }
    }

    /** The call. */
    @Benchmark
    public int chown(Shared shared, Own own) {
        own.change.uid ^= 1;
        shared.fs.setattr(Credentials.ROOT, own.ino, own.change, own.attributes);
        return own.attributes.uid;
    }
}
