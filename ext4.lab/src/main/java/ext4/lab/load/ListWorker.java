// SPDX-License-Identifier: Apache-2.0
package ext4.lab.load;

import ext4.sys.DirectoryEntries;
import ext4.sys.TreeCalls;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * Lists a directory slowly, so that a listing lasts longer than a swap, while names come and go in it: a name that is
 * there from the beginning to the end of a listing is listed exactly once, any other at most once.
 */
final class ListWorker implements Worker {
    private static final int LARGE = 2500;
    private static final int LARGE_BUFFER = 2048;
    private static final int SMALL = 14;
    private static final int SMALL_BUFFER = 288;
    private static final int PASSING = 40;

    private final Hands hands;
    private final String directory;
    private final Random random;
    private final int size;
    private final long pauseNanos;
    private final DirectoryEntries chunk;
    /** Names that are there. */
    private final List<String> there = new ArrayList<>();
    /** Of the listing that is under way: what was there when it began and still is. */
    private final Set<String> lasting = new HashSet<>();

    private final Map<String, Integer> listed = new HashMap<>();
    private int fd = -1;
    private long next;

    private ListWorker(Hands hands, String directory, long seed, int size, int buffer, long pauseMillis) {
        this.hands = hands;
        this.directory = directory;
        this.size = size;
        random = new Random(seed);
        chunk = new DirectoryEntries(buffer);
        pauseNanos = TimeUnit.MILLISECONDS.toNanos(pauseMillis);
    }

    /** A directory with a hash tree. */
    static ListWorker large(Hands hands, String directory, long seed) {
        return new ListWorker(hands, directory, seed, LARGE, LARGE_BUFFER, 40);
    }

    /** A directory of one block, read a few names at a time. */
    static ListWorker small(Hands hands, String directory, long seed) {
        return new ListWorker(hands, directory, seed, SMALL, SMALL_BUFFER, 200);
    }

    @Override
    public void begin() {
        hands.must("mkdir", directory, hands.calls.mkdir(Hands.HERE, Hands.bytes(directory), 0700));
        for (int i = 0; i < size; i++) {
            create();
        }
    }

    private void create() {
        String name = "entry" + Long.toHexString(random.nextLong() & 0xFFFFFFL) + "-" + next++;
        String path = directory + "/" + name;
        hands.close(path, hands.open(path, TreeCalls.O_WRONLY | TreeCalls.O_CREAT | TreeCalls.O_EXCL, 0600));
        there.add(name);
    }

    private void remove() {
        String name = there.remove(random.nextInt(there.size()));
        lasting.remove(name);
        String path = directory + "/" + name;
        hands.must("unlink", path, hands.calls.unlink(Hands.HERE, Hands.bytes(path), 0));
    }

    @Override
    public void step() {
        if (fd < 0) {
            fd = hands.open(directory, Hands.O_RDONLY | TreeCalls.O_DIRECTORY, 0);
            lasting.addAll(there);
        }
        if (hands.must("getdents", directory, hands.calls.entries(fd, chunk)) > 0) {
            for (byte[] name = chunk.next(); name != null; name = chunk.next()) {
                listed.merge(new String(name, StandardCharsets.UTF_8), 1, Integer::sum);
            }
        } else {
            judge();
        }
        if (there.size() < size + PASSING && random.nextBoolean()) {
            create();
        } else if (there.size() > size - PASSING / 4) {
            remove();
        }
        LockSupport.parkNanos(pauseNanos);
    }

    private void judge() {
        hands.close(directory, fd);
        fd = -1;
        for (String name : lasting) {
            if (!listed.containsKey(name)) {
                throw hands.failed("getdents", directory + "/" + name, "not listed", "listed once");
            }
        }
        listed.forEach((name, count) -> {
            if (count > 1) {
                throw hands.failed("getdents", directory + "/" + name, "listed " + count + " times", "listed once");
            }
        });
        lasting.clear();
        listed.clear();
    }

    @Override
    public void expectations(BiConsumer<String, String> each) {
        each.accept(
                directory, new Description(040700, 0, 0).links(2).entries(there).toString());
    }

    @Override
    public void end() {
        if (fd >= 0) {
            hands.calls.close(fd);
            fd = -1;
        }
    }
}
