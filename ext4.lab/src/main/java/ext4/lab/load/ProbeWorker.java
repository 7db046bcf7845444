// SPDX-License-Identifier: Apache-2.0
package ext4.lab.load;

import ext4.sys.TreeCalls;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * Makes, writes and removes one small file after the other and tells which calls took long, by {@link System#nanoTime},
 * which all processes of a machine have in common: the pause of a swap as a program sees it.
 */
final class ProbeWorker implements Worker {
    private static final long LONG_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long BETWEEN_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final byte[] FEW = new byte[100];

    private final Hands hands;
    private final String directory;
    private long began;

    ProbeWorker(Hands hands, String directory, long seed) {
        this.hands = hands;
        this.directory = directory;
    }

    @Override
    public void begin() {
        hands.must("mkdir", directory, hands.calls.mkdir(Hands.HERE, Hands.bytes(directory), 0700));
    }

    @Override
    public void step() {
        String path = directory + "/probe";
        start();
        int fd = hands.open(path, TreeCalls.O_RDWR | TreeCalls.O_CREAT | TreeCalls.O_EXCL, 0600);
        done("open");
        start();
        hands.write(path, fd, FEW, 0);
        done("write");
        start();
        hands.must("fchown", path, hands.calls.chown(fd, 1, 1));
        done("fchown");
        hands.close(path, fd);
        start();
        hands.must("unlink", path, hands.calls.unlink(Hands.HERE, Hands.bytes(path), 0));
        done("unlink");
    }

    private void start() {
        LockSupport.parkNanos(BETWEEN_NANOS);
        began = System.nanoTime();
    }

    private void done(String call) {
        long now = System.nanoTime();
        if (now - began > LONG_NANOS) {
            hands.outcome().say("slow", call, Long.toString(began), Long.toString(now));
        }
    }

    @Override
    public void expectations(BiConsumer<String, String> each) {}

    @Override
    public void end() {}
}
