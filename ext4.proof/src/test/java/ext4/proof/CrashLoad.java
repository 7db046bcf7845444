// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads that make, write, rename and remove files on a mount whose server is killed. Each file's bytes tell whose they
 * are, so those of another file are seen. A call may fail as it may after a crash: ESTALE for what is gone; EEXIST and ENOENT
 * where a call was done before the crash and sent again, or was lost. Any other failure counts, and so does a call that does
 * not return.
 */
final class CrashLoad implements AutoCloseable {
    private static final int THREADS = 3;
    private static final long LIMIT_SECONDS = 90;

    /** What was fsynced, by name: its length. */
    final Map<String, Integer> synced = new ConcurrentHashMap<>();

    final AtomicLong stale = new AtomicLong();
    final AtomicLong repeated = new AtomicLong();
    private final AtomicLong[] rounds = new AtomicLong[THREADS];
    private final Thread[] threads = new Thread[THREADS];
    private final Path directory;
    private volatile boolean enough;
    private volatile Throwable failure;

    CrashLoad(Path directory, long seed) {
        this.directory = directory;
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            rounds[i] = new AtomicLong();
            threads[i] =
                    Thread.ofPlatform().name("crash load " + i).start(() -> run(number, new Random(seed + number)));
        }
    }

    /** The bytes of a file: its name, again and again. */
    static byte[] content(String name, int length) {
        byte[] content = new byte[length];
        byte[] word = (name + "|").getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < length; i++) {
            content[i] = word[i % word.length];
        }
        return content;
    }

    private void run(int number, Random random) {
        try {
            for (int round = 0; !enough; round++) {
                round("f" + number + "-" + round, random);
                rounds[number].incrementAndGet();
            }
        } catch (IOException | RuntimeException | AssertionError e) {
            failure = e;
        }
    }

    private void round(String name, Random random) throws IOException {
        int length = 1 + random.nextInt(30_000);
        boolean sync = random.nextInt(4) == 0;
        Path file = directory.resolve(name);
        try {
            try (FileChannel open = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                open.write(ByteBuffer.wrap(content(name, length)), 0);
                if (sync) {
                    open.force(true);
                    synced.put(name, length);
                }
                check(open, name, length, sync);
            }
            if (!sync) {
                Path other = directory.resolve(name + "x");
                Files.move(file, other);
                Files.delete(other);
            }
        } catch (FileAlreadyExistsException | NoSuchFileException e) {
            repeated.incrementAndGet();
            notSynced(name, e);
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("Stale file handle")) {
                throw e;
            }
            stale.incrementAndGet();
            notSynced(name, e);
        }
    }

    private void notSynced(String name, IOException e) {
        if (synced.containsKey(name)) {
            throw new AssertionError(name + " was fsynced, and then: " + e, e);
        }
    }

    /** What was not fsynced may be lost in a crash, and then reads as zeros or not at all; it is never another file's. */
    static void check(FileChannel open, String name, int length, boolean all) throws IOException {
        ByteBuffer read = ByteBuffer.allocate(length + 1);
        int count = Math.max(0, open.read(read, 0));
        byte[] expected = content(name, length);
        if (count > length || all && count != length) {
            throw new AssertionError(name + ": " + count + " bytes of " + length);
        }
        for (int i = 0; i < count; i++) {
            byte found = read.get(i);
            if (found != expected[i] && (all || found != 0)) {
                throw new AssertionError(name + ": byte " + found + " at " + i + ", fsynced: " + all);
            }
        }
    }

    /** Returns when every thread has come through some more rounds. */
    void goOn() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        for (int i = 0; i < THREADS; i++) {
            long goal = rounds[i].get() + 3;
            while (rounds[i].get() < goal) {
                check();
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("a call of " + threads[i].getName() + " does not return");
                }
                threads[i].join(5);
            }
        }
    }

    void check() {
        if (failure != null) {
            throw new AssertionError("a call of the load failed", failure);
        }
    }

    @Override
    public void close() {
        enough = true;
        try {
            for (Thread thread : threads) {
                thread.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
                if (thread.isAlive()) {
                    throw new AssertionError("a call of " + thread.getName() + " does not return");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        check();
    }
}
