// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.channel;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.fs.CarrierThread;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A framework may keep a thread for ever; what the thread did must not stay with it. */
class CarrierThreadTest {
    private static final int LOOKS = 600;
    private static final long WAIT_MILLIS = 100;

    /** Not a lambda, which nothing may collect. */
    private record Work(CountDownLatch done) implements Runnable {
        @Override
        public void run() {
            done.countDown();
        }
    }

    private final ReferenceQueue<Runnable> queue = new ReferenceQueue<>();
    private WeakReference<Runnable> work;

    private CarrierThread started(CountDownLatch done) {
        Runnable one = new Work(done);
        work = new WeakReference<>(one, queue);
        CarrierThread thread = CarrierThread.once("once", one);
        thread.start();
        return thread;
    }

    @Test
    void oneThatHasEndedHoldsNothingOfWhatItDid() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        CarrierThread thread = started(done);
        assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
        thread.join();
        for (int i = 0; i < LOOKS && !work.refersTo(null); i++) {
            System.gc();
            queue.remove(WAIT_MILLIS);
        }
        assertThat(work.refersTo(null)).isTrue();
        assertThat(CarrierThread.find(thread.threadId())).isNull();
        thread.waiting(); // nobody to tell
        thread.resumed();
    }

    @Test
    void whatFailsEndsItToo() throws Exception {
        CarrierThread thread = CarrierThread.once("fails", () -> {
            throw new IllegalStateException("planned");
        });
        Throwable[] thrown = new Throwable[1];
        thread.setUncaughtExceptionHandler((t, e) -> thrown[0] = e);
        thread.start();
        thread.join();
        assertThat(thrown[0]).hasMessage("planned");
        assertThat(CarrierThread.find(thread.threadId())).isNull();
    }
}
