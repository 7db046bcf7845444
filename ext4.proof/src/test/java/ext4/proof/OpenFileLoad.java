// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads of this process that make files, remove them while they are open, truncate and read them back, on a mount that
 * another process serves. Each wrong byte and each failed call counts.
 */
final class OpenFileLoad implements AutoCloseable {
    private static final int THREADS = 3;

    private final AtomicLong rounds = new AtomicLong();
    private final Thread[] threads = new Thread[THREADS];
    private volatile boolean enough;
    private volatile Throwable failure;

    OpenFileLoad(Path directory) {
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads[i] = Thread.ofPlatform().name("load " + i).start(() -> run(directory, number));
        }
    }

    private void run(Path directory, int number) {
        try {
            Random random = new Random(number);
            for (int round = 0; !enough; round++) {
                round(directory.resolve("load" + number + "-" + round), random);
                rounds.incrementAndGet();
            }
        } catch (IOException | RuntimeException | AssertionError e) {
            failure = e;
        }
    }

    private static void round(Path file, Random random) throws IOException {
        byte[] content = new byte[1 + random.nextInt(20_000)];
        random.nextBytes(content);
        try (FileChannel open = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            open.write(ByteBuffer.wrap(content));
            Files.delete(file); // an orphan from here to the end of the round
            int kept = random.nextInt(content.length) + 1;
            open.truncate(kept);
            ByteBuffer read = ByteBuffer.allocate(content.length);
            int length = open.read(read, 0);
            if (length != kept || !ByteBuffer.wrap(content, 0, kept).equals(read.flip())) {
                throw new AssertionError(file + ": " + length + " bytes read of " + kept + ", or wrong ones");
            }
        }
        Path other = file.resolveSibling(file.getFileName() + "x");
        Files.write(file, content);
        Files.move(file, other);
        Files.delete(other);
    }

    /** Returns when some more rounds are through, so that what happened meanwhile happened under load. */
    void goOn() throws InterruptedException {
        long goal = rounds.get() + 2 * THREADS;
        while (rounds.get() < goal) {
            check();
            threads[0].join(5); // wakes early only if the load ended
        }
    }

    /** Throws if a call failed. */
    void check() {
        if (failure != null) {
            throw new AssertionError("a call of the load failed", failure);
        }
    }

    /** Ends the load; throws if any call failed. */
    @Override
    public void close() {
        enough = true;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        check();
    }
}
