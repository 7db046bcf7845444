// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Threads that use a mount point, each in a directory of its own, and compare what they find with what they did. A program
 * of its own, since a JVM must not lean on a mount that it serves itself. It says {@code working}, ends when its input
 * does, says what it did, and exits with 0 if no call failed and all was as it should be.
 */
public final class MountLoad {
    private static final int THREADS = 4;
    private static final int FILES = 24;
    private static final int MOST_BYTES = 20_000;

    private final Path directory;
    private final Random random;
    private final Map<String, byte[]> expected = new HashMap<>();

    private static volatile boolean ending;
    private static final AtomicLong STEPS = new AtomicLong();
    private static final AtomicLong LONGEST_NANOS = new AtomicLong();

    private MountLoad(Path directory, long seed) {
        this.directory = directory;
        random = new Random(seed);
    }

    /** Starts it. The mount point is empty, or as a load left it. */
    static Process start(Path mountPoint, Path errors) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
                        "-cp",
                        Path.of(MountLoad.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .getPath())
                                .toString(),
                        MountLoad.class.getName(),
                        mountPoint.toString(),
                        Long.toString(System.nanoTime()))
                .redirectError(errors.toFile())
                .start();
        String said = process.inputReader().readLine();
        if (!"working".equals(said)) {
            throw new IOException("the load said '" + said + "': " + Files.readString(errors));
        }
        return process;
    }

    /** Ends it; what it said, which is an error if a call failed. */
    static String end(Process load, Path errors) throws IOException, InterruptedException {
        load.getOutputStream().close();
        String said = load.inputReader().readLine();
        if (!load.waitFor(60, TimeUnit.SECONDS) || load.exitValue() != 0) {
            throw new AssertionError("the load failed: " + said + "\n" + Files.readString(errors));
        }
        return said;
    }

    /** Two arguments: the mount point and a seed. */
    public static void main(String[] arguments) throws Exception {
        long seed = Long.parseLong(arguments[1]);
        Thread[] threads = new Thread[THREADS];
        boolean[] failed = new boolean[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads[i] = new Thread(() -> failed[number] = !run(Path.of(arguments[0], "load" + number), seed + number));
            threads[i].start();
        }
        System.out.println("working");
        while (System.in.read() >= 0) {}
        ending = true;
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(STEPS + " steps, the longest " + LONGEST_NANOS.get() / 1000 + " us; seed " + seed);
        for (boolean one : failed) {
            if (one) {
                System.exit(1);
            }
        }
    }

    private static boolean run(Path directory, long seed) {
        try {
            MountLoad load = new MountLoad(directory, seed);
            Files.createDirectories(directory);
            load.clear();
            while (!ending) {
                long before = System.nanoTime();
                load.step();
                LONGEST_NANOS.accumulateAndGet(System.nanoTime() - before, Math::max);
                STEPS.incrementAndGet();
            }
            load.compare();
            return true;
        } catch (IOException | RuntimeException e) {
            System.err.println("seed " + seed);
            e.printStackTrace();
            System.exit(1);
            return false;
        }
    }

    private void clear() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            for (Path one : (Iterable<Path>) all::iterator) {
                Files.delete(one);
            }
        }
    }

    private void step() throws IOException {
        String name = "file" + random.nextInt(FILES);
        switch (random.nextInt(10)) {
            case 0, 1 -> write(name);
            case 2 -> append(name);
            case 3, 4, 5 -> read(name);
            case 6 -> rename(name);
            case 7 -> delete(name);
            case 8 -> unlinked();
            default -> list();
        }
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(MOST_BYTES)];
        random.nextBytes(bytes);
        return bytes;
    }

    private void write(String name) throws IOException {
        byte[] content = bytes();
        Files.write(directory.resolve(name), content);
        expected.put(name, content);
    }

    private void append(String name) throws IOException {
        byte[] more = bytes();
        byte[] old = expected.getOrDefault(name, new byte[0]);
        if (old.length > 4 * MOST_BYTES) {
            return;
        }
        Path file = directory.resolve(name);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            channel.write(ByteBuffer.wrap(more));
            channel.force(false);
        }
        byte[] both = Arrays.copyOf(old, old.length + more.length);
        System.arraycopy(more, 0, both, old.length, more.length);
        expected.put(name, both);
    }

    private void read(String name) throws IOException {
        byte[] content = expected.get(name);
        Path file = directory.resolve(name);
        if (content == null) {
            require(!Files.exists(file), name + " is there");
        } else {
            require(Arrays.equals(content, Files.readAllBytes(file)), name + " has other bytes");
            require(Files.size(file) == content.length, name + " has another size");
        }
    }

    private void rename(String name) throws IOException {
        if (expected.containsKey(name)) {
            String other = "file" + random.nextInt(FILES);
            Files.move(directory.resolve(name), directory.resolve(other), StandardCopyOption.REPLACE_EXISTING);
            expected.put(other, expected.remove(name));
        }
    }

    private void delete(String name) throws IOException {
        require(
                Files.deleteIfExists(directory.resolve(name)) == (expected.remove(name) != null),
                name + " was there, or was not");
    }

    private void unlinked() throws IOException {
        byte[] content = bytes();
        Path file = directory.resolve("unlinked");
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Files.delete(file);
            channel.write(ByteBuffer.wrap(content));
            ByteBuffer read = ByteBuffer.allocate(content.length);
            while (read.hasRemaining() && channel.read(read, read.position()) >= 0) {}
            require(Arrays.equals(content, read.array()), "an unlinked file has other bytes");
        }
    }

    private void list() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            TreeSet<String> names = new TreeSet<>();
            all.forEach(one -> names.add(one.getFileName().toString()));
            require(names.equals(new TreeSet<>(expected.keySet())), "listed " + names);
        }
    }

    private void compare() throws IOException {
        list();
        for (String name : expected.keySet()) {
            read(name);
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
