// SPDX-License-Identifier: Apache-2.0
package ext4.control.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates files in several directories side by side, finds them, and removes them side by side. Tells what happens as
 * lines: {@code created MICROS}, {@code found MICROS}, {@code removing}, {@code quarter} when a quarter of the files is
 * gone, {@code removed DIR MICROS} when a directory is (since removing began), {@code failed REASON} for each failure.
 */
public final class Load {
    /** Takes the lines. */
    @FunctionalInterface
    public interface Events {
        void tell(String line) throws IOException;
    }

    private interface Work {
        void on(int dir) throws IOException;
    }

    private final int directories;
    private final int files;
    private final Events events;
    private final AtomicInteger removed = new AtomicInteger();
    private Tree tree;
    private long removingSince;

    /** @param files in each directory */
    public Load(int directories, int files, Events events) {
        this.directories = directories;
        this.files = files;
        this.events = events;
    }

    /** Returns whether everything worked. */
    public boolean run(Tree where) throws IOException, InterruptedException {
        tree = where;
        try (ExecutorService threads = Executors.newFixedThreadPool(directories)) {
            return phase(threads, "created", this::create) && phase(threads, "found", this::find) && remove(threads);
        }
    }

    private void create(int dir) throws IOException {
        tree.makeDirectory(dir);
        for (int file = 0; file < files; file++) {
            tree.create(dir, file);
        }
    }

    private void find(int dir) throws IOException {
        int found = tree.find(dir);
        if (found != files) {
            throw new IOException("found " + found + " of " + files + " files");
        }
    }

    private boolean remove(ExecutorService threads) throws IOException, InterruptedException {
        tell("removing");
        removingSince = System.nanoTime();
        return phase(threads, "removed", this::removeAll);
    }

    private void removeAll(int dir) throws IOException {
        for (int file = 0; file < files; file++) {
            tree.remove(dir, file);
            if (removed.incrementAndGet() == Math.max(1, directories * files / 4)) {
                tell("quarter");
            }
        }
        tree.removeDirectory(dir);
        tell("removed " + dir + " " + micros(removingSince));
    }

    private boolean phase(ExecutorService threads, String name, Work work) throws IOException, InterruptedException {
        long start = System.nanoTime();
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < directories; i++) {
            int dir = i;
            running.add(threads.submit(() -> {
                work.on(dir);
                return null;
            }));
        }
        boolean good = true;
        for (Future<?> each : running) {
            try {
                each.get();
            } catch (ExecutionException e) {
                good = false;
                tell("failed " + e.getCause());
            }
        }
        tell(name + " " + micros(start));
        return good;
    }

    private static long micros(long since) {
        return (System.nanoTime() - since) / 1000;
    }

    private synchronized void tell(String line) throws IOException {
        events.tell(line);
    }
}
