// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;

/**
 * A few threads, each with a queue of its own, by group: inodes of one group are freed by one thread and those of
 * different groups side by side, as the removes were that left them behind.
 */
public final class StripedEvictor implements Evictor, AutoCloseable {
    /** How often a thread that was busy lately looks for work by itself, so that whoever brings it need not wake it. */
    private static final long LOOK_MILLIS = 1;

    /** Looks in vain after which a thread sleeps until it is woken. */
    private static final int LOOKS = 20;

    /** One queue and its thread. */
    private static final class Stripe extends Thread {
        private final IntConsumer work;
        // guarded by queue
        private final IntQueue queue = new IntQueue();
        // guarded by queue
        private long added;
        // guarded by queue
        private long done;
        // guarded by queue; the thread waits without a limit
        private boolean asleep;
        // guarded by queue; threads in awaitAdded
        private int waiters;
        // guarded by queue
        private boolean stopping;

        Stripe(String name, IntConsumer work) {
            super(name);
            this.work = work;
            setDaemon(true);
        }

        void add(int ino) {
            synchronized (queue) {
                queue.add(ino);
                added++;
                if (asleep) {
                    queue.notifyAll();
                }
            }
        }

        /** Waits for what was added before; false if that was done already. */
        boolean awaitAdded() {
            boolean interrupted = false;
            synchronized (queue) {
                long wanted = added;
                if (done >= wanted) {
                    return false;
                }
                waiters++;
                queue.notifyAll();
                while (done < wanted && isAlive()) {
                    interrupted |= interruptedWait(0);
                }
                waiters--;
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return true;
        }

        void shutDown() {
            synchronized (queue) {
                stopping = true;
                queue.notifyAll();
            }
        }

        private boolean interruptedWait(long millis) {
            try {
                queue.wait(millis);
                return false;
            } catch (InterruptedException e) {
                return true;
            }
        }

        @Override
        public void run() {
            while (awaitWork()) {
                int ino;
                synchronized (queue) {
                    ino = queue.take();
                }
                try {
                    work.accept(ino);
                } finally {
                    synchronized (queue) {
                        done++;
                        if (waiters > 0) {
                            queue.notifyAll();
                        }
                    }
                }
            }
        }

        /** False when the queue is empty and stays so. */
        private boolean awaitWork() {
            synchronized (queue) {
                for (int looks = 0; queue.isEmpty(); looks++) {
                    if (stopping) {
                        return false;
                    }
                    asleep = looks >= LOOKS;
                    interruptedWait(asleep ? 0 : LOOK_MILLIS);
                    asleep = false;
                }
                return true;
            }
        }
    }

    private final Stripe[] stripes;
    private final IntUnaryOperator groupOf;
    private final IntConsumer work;

    /**
     * @param name the filesystem's name, for the threads' names
     * @param groupOf group of an inode
     * @param work frees one inode; reports its errors itself and throws nothing
     */
    public StripedEvictor(String name, int threads, IntUnaryOperator groupOf, IntConsumer work) {
        this.groupOf = groupOf;
        this.work = work;
        stripes = new Stripe[threads];
        for (int i = 0; i < threads; i++) {
            stripes[i] = new Stripe("ext4-evict-" + i + " " + name, work);
        }
    }

    /** Starts the threads, once; before it nothing is freed and {@link #await} does not wait. */
    public void start() {
        for (Stripe stripe : stripes) {
            stripe.start();
        }
    }

    @Override
    public void evict(int ino) {
        stripes[groupOf.applyAsInt(ino) % stripes.length].add(ino);
    }

    @Override
    public void evictNow(int ino) {
        work.accept(ino);
    }

    @Override
    public boolean await() {
        boolean any = false;
        for (Stripe stripe : stripes) {
            any |= stripe.awaitAdded();
        }
        return any;
    }

    /** Finishes what is queued and joins the threads. */
    @Override
    public void close() {
        for (Stripe stripe : stripes) {
            stripe.shutDown();
        }
        boolean interrupted = false;
        for (Stripe stripe : stripes) {
            while (stripe.isAlive()) {
                try {
                    stripe.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
