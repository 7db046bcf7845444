// SPDX-License-Identifier: Apache-2.0
package ext4.lab.linear;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.FileSystem;
import ext4.api.fs.MountOptions;
import ext4.core.mkfs.Mkfs;
import ext4.core.mkfs.MkfsOptions;
import ext4.device.MemoryBlockDevice;
import ext4.lab.stack.Stack;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Random;
import java.util.function.UnaryOperator;

/** Many histories on filesystems in memory, with each orphan strategy, which is also replaced on the way. */
final class LinearRun {
    private static final long IMAGE = 64L << 20;
    /** Directories stay, and inodes stay pinned: a new filesystem from time to time. */
    private static final int PER_IMAGE = 1000;
    /** Histories between two replacements of the strategy. */
    private static final int PER_STRATEGY = 7;

    private final long seed;
    private final int threads;
    private final int calls;
    private final UnaryOperator<FileSystem> between;
    private final PrintStream out;
    private int done;
    private int wrong;
    private int strategies;

    /** @param between puts a planted mistake in the way */
    LinearRun(long seed, int threads, int calls, UnaryOperator<FileSystem> between, PrintStream out) {
        this.seed = seed;
        this.threads = threads;
        this.calls = calls;
        this.between = between;
        this.out = out;
    }

    /** Runs that many, or until one has no order; how many had none. */
    int run(int histories) throws Exception {
        long said = System.nanoTime();
        while (done < histories && wrong == 0) {
            int most = Math.min(histories - done, PER_IMAGE);
            try (BlockDevice device = new MemoryBlockDevice("histories in memory", IMAGE)) {
                Mkfs.run(device, new MkfsOptions().blockSize(1024), new PrintWriter(Writer.nullWriter()));
                try (CoreFileSystem fs = Stack.mount(device, MountOptions.DEFAULTS, "sharded")) {
                    some(fs, most);
                }
            }
            if (System.nanoTime() - said > 10_000_000_000L) {
                said = System.nanoTime();
                out.println(done + " histories");
            }
        }
        return wrong;
    }

    private void some(CoreFileSystem fs, int most) throws Exception {
        Random random = new Random(seed + done);
        try (Histories histories = new Histories(between.apply(fs), threads, calls)) {
            for (int i = 0; i < most && wrong == 0; i++) {
                if (done % PER_STRATEGY == PER_STRATEGY - 1) {
                    String name = Stack.STRATEGIES.get(strategies++ % Stack.STRATEGIES.size());
                    fs.swapOrphanStrategy(name, Stack.strategy(name));
                }
                Histories.History history = histories.next(random.nextLong(1, 1L << 40));
                done++;
                if (!history.holds()) {
                    wrong++;
                    out.print(history.text());
                }
            }
        }
    }

    int done() {
        return done;
    }
}
