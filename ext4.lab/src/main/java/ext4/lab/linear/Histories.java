// SPDX-License-Identifier: Apache-2.0
package ext4.lab.linear;

import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.FileSystem;
import ext4.lab.linear.Op.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Makes histories: a few threads, two directories and three names, so that they meet all the time. */
final class Histories implements AutoCloseable {
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final Kind[] KINDS = {
        Kind.CREATE,
        Kind.CREATE,
        Kind.MKDIR,
        Kind.LINK,
        Kind.UNLINK,
        Kind.UNLINK,
        Kind.RMDIR,
        Kind.RENAME,
        Kind.RENAME,
        Kind.RENAME,
        Kind.LOOKUP,
        Kind.LOOKUP,
        Kind.READDIR,
        Kind.STAT
    };
    private static final int[] FLAGS = {0, 0, 0, FileSystem.RENAME_NOREPLACE, FileSystem.RENAME_EXCHANGE};

    private final FileSystem fs;
    private final int threads;
    private final int calls;
    private final ExecutorService pool;
    private final CyclicBarrier start;
    private int count;

    Histories(FileSystem fs, int threads, int calls) {
        this.fs = fs;
        this.threads = threads;
        this.calls = calls;
        pool = Executors.newFixedThreadPool(threads);
        start = new CyclicBarrier(threads);
    }

    /** A history, and the state in which it began. */
    record History(long seed, Model initial, List<Op> ops) {
        /** Whether some order explains it. */
        boolean holds() {
            return new Search(ops).finds(initial);
        }

        String text() {
            Search search = new Search(ops);
            search.finds(initial);
            StringBuilder text = new StringBuilder("no order explains the history of seed " + seed + "; the longest"
                    + " beginning that one does has " + search.longest() + " of " + ops.size() + " calls\nbegan as "
                    + initial + "\n");
            ops.forEach(op -> text.append(op).append('\n'));
            return text.toString();
        }
    }

    /** What the threads of one history share. */
    private final class Ground {
        final Random random;
        final Model model = new Model();
        final AtomicLong clock = new AtomicLong();
        final Caller caller = new Caller(fs, clock);
        final List<Integer> directories = new ArrayList<>();
        final List<Integer> files = new ArrayList<>();

        Ground(long seed) {
            random = new Random(seed);
            for (int i = 0; i < 2; i++) {
                Attributes out = new Attributes();
                fs.mkdir(Credentials.ROOT, 2, Caller.bytes("d" + count++), 0755, out);
                model.root(out.ino);
                directories.add(out.ino);
            }
        }

        /** Fills the directories a bit, one call after the other. */
        void fill() {
            for (int i = 0; i < 4; i++) {
                Kind kind = i < 2 ? Kind.CREATE : random.nextBoolean() ? Kind.CREATE : Kind.MKDIR;
                Op op = new Op(kind, 0, directories.get(i & 1), NAMES.get(random.nextInt(3)), 0, null, 0);
                caller.call(op);
                if (!model.step(op)) {
                    throw new IllegalStateException("without any concurrency: " + op + " in " + model);
                }
                learn(op, directories, files);
            }
        }
    }

    /** The next one. */
    History next(long seed) throws Exception {
        Ground ground = new Ground(seed);
        ground.fill();
        Model initial = ground.model.copy();
        List<Callable<List<Op>>> work = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int thread = i;
            Random random = new Random(seed * 31 + i);
            List<Integer> directories = new ArrayList<>(ground.directories);
            List<Integer> files = new ArrayList<>(ground.files);
            work.add(() -> run(ground.caller, random, thread, directories, files));
        }
        List<Op> all = new ArrayList<>();
        for (Future<List<Op>> done : pool.invokeAll(work)) {
            all.addAll(done.get());
        }
        all.sort((a, b) -> Long.compare(a.called, b.called));
        return new History(seed, initial, all);
    }

    private List<Op> run(Caller caller, Random random, int thread, List<Integer> directories, List<Integer> files)
            throws Exception {
        List<Op> mine = new ArrayList<>();
        start.await();
        for (int i = 0; i < calls; i++) {
            Op op = choose(random, thread, directories, files);
            caller.call(op);
            learn(op, directories, files);
            mine.add(op);
        }
        return mine;
    }

    /** A thread goes on with what it has got to know: directories that may have been moved or removed meanwhile too. */
    private static void learn(Op op, List<Integer> directories, List<Integer> files) {
        if (op.error == null && op.kind == Kind.CREATE) {
            files.add(op.ino);
        } else if (op.error == null && op.kind == Kind.MKDIR) {
            directories.add(op.ino);
        }
    }

    private static Op choose(Random random, int thread, List<Integer> directories, List<Integer> files) {
        Kind kind = KINDS[random.nextInt(KINDS.length)];
        int parent = any(random, directories);
        String name = NAMES.get(random.nextInt(NAMES.size()));
        String newName = NAMES.get(random.nextInt(NAMES.size()));
        int flags = kind == Kind.RENAME ? FLAGS[random.nextInt(FLAGS.length)] : 0;
        return switch (kind) {
            case LINK -> new Op(kind, thread, parent, name, any(random, files), null, 0);
            case STAT ->
                new Op(kind, thread, any(random, random.nextBoolean() ? files : directories), null, 0, null, 0);
            default -> new Op(kind, thread, parent, name, any(random, directories), newName, flags);
        };
    }

    private static int any(Random random, List<Integer> from) {
        return from.get(random.nextInt(from.size()));
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
