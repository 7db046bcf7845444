// SPDX-License-Identifier: Apache-2.0
package ext4.lab.load;

import ext4.sys.TreeCalls;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.function.BiConsumer;

/** As fs_mark: creates empty and small files in directories of its own, two a thread, and removes the oldest. */
final class MarkWorker implements Worker {
    /** Of all threads together. */
    static final int DIRECTORIES = 8;

    private static final int OWN = 2;
    private static final int KEPT = 300;
    private static final int LARGEST = 12_000;
    private static final int SYNC_EACH = 20;
    private static final int MODE = 0600;

    private final Hands hands;
    private final String directory;
    private final Random random;
    private final Deque<Made> files = new ArrayDeque<>();
    private long next;

    private record Made(String path, long seed, int size) {
        byte[] content() {
            byte[] bytes = new byte[size];
            new Random(seed).nextBytes(bytes);
            return bytes;
        }
    }

    MarkWorker(Hands hands, String directory, long seed) {
        this.hands = hands;
        this.directory = directory;
        random = new Random(seed);
    }

    @Override
    public void begin() {
        mkdir(directory);
        for (int i = 0; i < OWN; i++) {
            mkdir(directory + "/" + i);
        }
    }

    private void mkdir(String path) {
        hands.must("mkdir", path, hands.calls.mkdir(Hands.HERE, Hands.bytes(path), 0700));
    }

    @Override
    public void step() {
        create();
        if (files.size() > KEPT) {
            Made oldest = files.peek();
            hands.must("unlink", oldest.path, hands.calls.unlink(Hands.HERE, Hands.bytes(oldest.path), 0));
            files.remove();
        }
    }

    private void create() {
        boolean empty = random.nextBoolean();
        String path = directory + "/" + next % OWN + "/f" + next;
        Made file = new Made(path, random.nextLong(), empty ? 0 : 1 + random.nextInt(LARGEST));
        int fd = hands.open(path, TreeCalls.O_WRONLY | TreeCalls.O_CREAT | TreeCalls.O_EXCL, MODE);
        try {
            if (file.size > 0) {
                hands.write(path, fd, file.content(), 0);
            }
            if (next % SYNC_EACH == 0) {
                hands.must("fsync", path, hands.calls.sync(fd));
            }
        } finally {
            hands.calls.close(fd);
        }
        files.add(file);
        next++;
    }

    @Override
    public void expectations(BiConsumer<String, String> each) {
        for (int i = 0; i < OWN; i++) {
            String folder = directory + "/" + i;
            each.accept(
                    folder,
                    new Description(040700, 0, 0)
                            .links(2)
                            .entries(files.stream()
                                    .filter(file -> file.path.startsWith(folder + "/"))
                                    .map(file -> file.path.substring(folder.length() + 1))
                                    .toList())
                            .toString());
        }
        files.forEach(file -> each.accept(file.path, Description.plain(MODE, file.content())));
    }

    @Override
    public void end() {}
}
