// SPDX-License-Identifier: Apache-2.0
package ext4.lab.kill;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that make, write, fsync, rename and remove files, each in a directory of its own, and note what fsync(2) returned 0
 * for. A promise is withdrawn before the call begins that changes what it is about.
 */
final class PromiseLoad {
    private static final int MOST_BYTES = 60_000;
    private static final int KEPT = 400;
    private static final long PAUSE_AFTER_ERROR_NANOS = 5_000_000;

    /** What a file holds: that many bytes made from a seed. */
    record Promise(long seed, int length) {
        byte[] content() {
            byte[] bytes = new byte[length];
            new Random(seed).nextBytes(bytes);
            return bytes;
        }
    }

    private final Path root;
    private final long seed;
    private final List<Thread> threads = new ArrayList<>();
    private final Map<String, Promise> promises = new ConcurrentHashMap<>();
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger errors = new AtomicInteger();
    private volatile String firstError;
    private volatile boolean stopping;

    PromiseLoad(Path root, long seed) {
        this.root = root;
        this.seed = seed;
    }

    /** Starts that many threads. Their directories exist when this returns. */
    void start(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            int number = i;
            Files.createDirectory(root.resolve("w" + number));
            threads.add(Thread.ofPlatform().daemon().name("load " + number).unstarted(() -> work(number)));
        }
        threads.forEach(Thread::start);
    }

    /** Returns when there were so many promises, or the time is over: then false. */
    boolean await(int wanted, long seconds) {
        return awaitUntil(() -> made.get() >= wanted, seconds);
    }

    /** Returns when there were so many errors, or the time is over. */
    boolean awaitErrors(int wanted, long seconds) {
        return awaitUntil(() -> errors.get() >= wanted, seconds);
    }

    private static boolean awaitUntil(java.util.function.BooleanSupplier condition, long seconds) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }

    /** Ends it; how many threads hang in a call. */
    int stop(long seconds) throws InterruptedException {
        stopping = true;
        int left = 0;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            left += thread.isAlive() ? 1 : 0;
        }
        return left;
    }

    /** What must be there. */
    Map<String, Promise> promises() {
        return new TreeMap<>(promises);
    }

    /** Promises made so far, those withdrawn since too. */
    int made() {
        return made.get();
    }

    int errors() {
        return errors.get();
    }

    /** What the first call that failed was told, or null. */
    String firstError() {
        return firstError;
    }

    private void work(int number) {
        Random random = new Random(seed * 31 + number);
        List<String> mine = new ArrayList<>();
        for (int i = 0; !stopping; i++) {
            try {
                step(number, i, random, mine);
            } catch (IOException e) {
                if (errors.getAndIncrement() == 0) {
                    firstError = e.toString();
                }
                LockSupport.parkNanos(PAUSE_AFTER_ERROR_NANOS);
            }
        }
    }

    private void step(int number, int i, Random random, List<String> mine) throws IOException {
        String name = "w" + number + "/f" + i;
        Promise promise = new Promise(random.nextLong(), 1 + random.nextInt(random.nextInt(MOST_BYTES) + 1));
        boolean renamed = random.nextInt(4) == 0;
        Path path = root.resolve(renamed ? name + ".new" : name);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(promise.content());
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            if (renamed) {
                Files.move(path, root.resolve(name));
            }
            if (random.nextInt(3) != 0) {
                file.force(true);
                promises.put(name, promise);
                made.incrementAndGet();
            }
        }
        mine.add(name);
        if (mine.size() > KEPT || random.nextInt(3) == 0) {
            String old = mine.remove(random.nextInt(mine.size()));
            promises.remove(old);
            Files.delete(root.resolve(old));
        }
    }
}
