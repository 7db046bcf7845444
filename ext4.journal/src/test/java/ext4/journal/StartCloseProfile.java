// SPDX-License-Identifier: Apache-2.0
package ext4.journal;

import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** Not a test: how long start, one write and close take. Arguments: provider, threads, seconds. */
final class StartCloseProfile {
    private StartCloseProfile() {}

    public static void main(String[] args) throws InterruptedException {
        String name = args.length > 0 ? args[0] : "none";
        int threads = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        int seconds = args.length > 2 ? Integer.parseInt(args[2]) : 5;
        FakeHost host = new FakeHost(new ArrayDevice(FakeHost.image()));
        JournalProvider provider = name.equals("none") ? new NoLogProvider() : new Jbd2Provider();
        for (int round = 0; round < 3; round++) {
            try (Journal journal = provider.open(host, new JournalOptions(5000, true, 1 << 24))) {
                System.out.println(name + ", " + threads + " threads, start+close: "
                        + measure(journal, host, threads, seconds, false) + " ns");
                System.out.println(name + ", " + threads + " threads, start+write+close: "
                        + measure(journal, host, threads, seconds, true) + " ns");
                if (round == 2) {
                    System.out.println(journal.counters());
                }
            }
        }
    }

    /** Nanoseconds of processor time for one round, so that a busy machine does not count. */
    private static long measure(Journal journal, FakeHost host, int threads, int seconds, boolean write)
            throws InterruptedException {
        AtomicLong rounds = new AtomicLong();
        AtomicLong used = new AtomicLong();
        CountDownLatch done = new CountDownLatch(threads);
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        for (int t = 0; t < threads; t++) {
            FakeBlock block = host.block(FakeHost.DATA_AT + 10 + t);
            Thread.ofPlatform().start(() -> {
                long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                long count = 0;
                while (System.nanoTime() < end) {
                    for (int i = 0; i < 1000; i++) {
                        one(journal, block, write, i);
                    }
                    count += 1000;
                }
                rounds.addAndGet(count);
                used.addAndGet(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin);
                done.countDown();
            });
        }
        done.await();
        return used.get() / rounds.get();
    }

    private static void one(Journal journal, FakeBlock block, boolean write, int value) {
        try (Handle handle = journal.start(HandleKind.INODE, 2, 0)) {
            if (write) {
                handle.write(block)[64] = (byte) value;
            }
        }
    }
}
