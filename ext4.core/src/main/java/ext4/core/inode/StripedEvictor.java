// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

import ext4.api.fs.CarrierThread;
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

    /** One queue, and its thread while there is one. */
    private static final class Stripe implements Runnable {
        private final String name;
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
        // guarded by queue; null before the first
        private Thread thread;
        // guarded by queue; the thread takes from the queue
        private boolean running;
        // guarded by queue; the thread takes nothing yet
        private boolean holding;
        // guarded by queue; the thread ends when the queue is empty
        private boolean closing;
        // guarded by queue; the thread ends, whatever is in the queue
        private boolean pausing;

        Stripe(String name, IntConsumer work) {
            this.name = name;
            this.work = work;
        }

        void start() {
            synchronized (queue) {
                holding = true;
                closing = false;
                pausing = false;
                Thread fresh = CarrierThread.once(name, this);
                fresh.start();
                thread = fresh;
                running = true;
            }
        }

        void go() {
            synchronized (queue) {
                holding = false;
                queue.notifyAll();
            }
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
                while (done < wanted && running) {
                    interrupted |= interruptedWait(0);
                }
                waiters--;
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return true;
        }

        /** Asks the thread to end, at once or when the queue is empty. */
        void end(boolean atOnce) {
            synchronized (queue) {
                pausing = atOnce;
                closing = !atOnce;
                queue.notifyAll();
            }
        }

        /** Returns when the thread has ended; the caller asked for that. */
        boolean join() {
            Thread ending;
            synchronized (queue) {
                ending = thread;
            }
            boolean interrupted = false;
            while (ending != null && ending.isAlive()) {
                try {
                    ending.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return interrupted;
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
            try {
                while (awaitWork()) {
                    work();
                }
            } finally {
                synchronized (queue) {
                    running = false;
                    queue.notifyAll();
                }
            }
        }

        private void work() {
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

        /** False when the thread has to end. */
        private boolean awaitWork() {
            synchronized (queue) {
                for (int looks = 0; !pausing && (holding || queue.isEmpty()); looks++) {
                    if (closing) {
                        return false;
                    }
                    asleep = looks >= LOOKS;
                    interruptedWait(asleep ? 0 : LOOK_MILLIS);
                    asleep = false;
                }
                return !pausing;
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

    /**
     * Starts the threads, which wait for {@link #go}. Before it, and after {@link #pause}, nothing is freed and
     * {@link #await} does not wait. Starts all or, with a throw, none.
     */
    public void start() {
        int started = 0;
        try {
            for (; started < stripes.length; started++) {
                stripes[started].start();
            }
        } finally {
            if (started < stripes.length) {
                pause();
            }
        }
    }

    /** Lets the threads free what is queued and what comes. */
    public void go() {
        for (Stripe stripe : stripes) {
            stripe.go();
        }
    }

    /** Finishes what is being freed, and ends and joins the threads; what is queued stays so. Does nothing without any. */
    public void pause() {
        end(true);
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

    /** Finishes what is queued, unless it is paused, and joins the threads. */
    @Override
    public void close() {
        end(false);
    }

    private void end(boolean atOnce) {
        for (Stripe stripe : stripes) {
            stripe.end(atOnce);
        }
        boolean interrupted = false;
        for (Stripe stripe : stripes) {
            interrupted |= stripe.join();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
