// SPDX-License-Identifier: Apache-2.0
package ext4.mount.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.RequestThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GateTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(10);
    private static final Supplier<String> START = () -> "start it";
    private final Gate gate = new Gate("/mnt", LONG);

    private static final Duration SOON = Duration.ofSeconds(30);

    @Test
    void whatDoesNotNeedTheMissingPartPasses() {
        gate.close(Part.ORPHANS, START);
        gate.leave(gate.enter(Verb.LOOKUP));
        gate.leave(gate.enter(Verb.WRITE));
        assertThat(gate.tryEnter(Verb.UNLINK)).isNegative();
        assertThat(gate.running()).isZero();
        gate.close(Part.JOURNAL, START);
        assertThat(gate.tryEnter(Verb.WRITE)).isNegative();
        gate.leave(gate.enter(Verb.LOOKUP));
        gate.close(Part.CORE, START);
        assertThat(gate.tryEnter(Verb.LOOKUP)).isNegative();
    }

    @Test
    void aHeldRequestGoesOnWhenTheLastPartItNeedsIsThere() {
        gate.close(Part.ORPHANS, START);
        gate.close(Part.JOURNAL, START);
        CompletableFuture<Void> unlink = request(Verb.UNLINK);
        awaitWaiting(1);
        assertThat(gate.running()).isZero();
        gate.open(Part.ORPHANS);
        assertThat(unlink).isNotDone();
        assertThat(gate.waiting()).isEqualTo(1);
        gate.open(Part.JOURNAL);
        assertThat(unlink).succeedsWithin(SOON);
        assertThat(gate.waiting()).isZero();
        assertThat(gate.running()).isZero();
    }

    @Test
    void afterTheLimitItIsEio() {
        gate.limit(0);
        gate.close(Part.ORPHANS, START);
        assertThatThrownBy(() -> gate.enter(Verb.UNLINK)).isSameAs(ErrnoException.of(Errno.EIO));
        assertThat(gate.running()).isZero();
        gate.open(Part.ORPHANS);
        gate.leave(gate.enter(Verb.UNLINK));
    }

    @Test
    void anInterruptedRequestIsEintrAndNoOtherIs() {
        gate.close(Part.ORPHANS, START);
        CompletableFuture<Thread> first = new CompletableFuture<>();
        CompletableFuture<Void> interrupted = request(Verb.UNLINK, first);
        CompletableFuture<Void> other = request(Verb.RMDIR);
        awaitWaiting(2);
        assertThat(gate.interrupt(first.join())).isTrue();
        assertThatThrownBy(interrupted::join)
                .isInstanceOf(CompletionException.class)
                .hasCause(ErrnoException.of(Errno.EINTR));
        assertThat(other).isNotDone();
        assertThat(gate.interrupt(Thread.currentThread())).isFalse();
        gate.open(Part.ORPHANS);
        assertThat(other).succeedsWithin(SOON);
    }

    @Test
    void threadInterruptIsEintrToo() {
        gate.close(Part.ORPHANS, START);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> gate.enter(Verb.UNLINK)).isSameAs(ErrnoException.of(Errno.EINTR));
        assertThat(Thread.interrupted()).isFalse();
        assertThat(gate.waiting()).isZero();
    }

    @Test
    void drainWaitsForRunningRequestsThatNeedThePartOnly() throws InterruptedException {
        int reading = gate.enter(Verb.READ);
        int unlinking = gate.enter(Verb.UNLINK);
        gate.close(Part.ORPHANS, START);
        assertThat(gate.drain(Part.ORPHANS, 0)).isFalse();
        CompletableFuture<Boolean> drained = CompletableFuture.supplyAsync(() -> drain(Part.ORPHANS));
        gate.leave(unlinking);
        assertThat(drained).succeedsWithin(SOON).isEqualTo(true);
        assertThat(gate.running()).isEqualTo(1);
        gate.leave(reading);
    }

    @Test
    void afterShutEverythingIsEnodevAlsoWhatWaits() {
        gate.close(Part.ORPHANS, START);
        CompletableFuture<Void> held = request(Verb.UNLINK);
        awaitWaiting(1);
        gate.shut();
        assertThatThrownBy(held::join).hasCause(ErrnoException.of(Errno.ENODEV));
        assertThatThrownBy(() -> gate.enter(Verb.LOOKUP)).isSameAs(ErrnoException.of(Errno.ENODEV));
    }

    @Test
    void aTransportsThreadIsToldThatItWaits() throws InterruptedException {
        gate.close(Part.ORPHANS, START);
        List<String> told = new ArrayList<>();
        CountDownLatch waits = new CountDownLatch(1);
        class Reader extends Thread implements RequestThread {
            @Override
            public void run() {
                gate.leave(gate.enter(Verb.LOOKUP));
                gate.leave(gate.enter(Verb.UNLINK));
            }

            @Override
            public void waiting() {
                told.add("waiting");
                waits.countDown();
            }

            @Override
            public void resumed() {
                told.add("resumed");
            }
        }
        Reader reader = new Reader();
        reader.start();
        waits.await();
        gate.open(Part.ORPHANS);
        reader.join();
        assertThat(told).containsExactly("waiting", "resumed");
    }

    /** Between drained and open no request is inside, however many come and go. */
    @Test
    void nobodyIsInsideAfterTheDrain() throws InterruptedException {
        AtomicInteger inside = new AtomicInteger();
        AtomicBoolean stop = new AtomicBoolean();
        LongAdder done = new LongAdder();
        List<Thread> busy = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            busy.add(Thread.ofPlatform().start(() -> {
                while (!stop.get()) {
                    int slot = gate.enter(Verb.UNLINK);
                    inside.incrementAndGet();
                    inside.decrementAndGet();
                    gate.leave(slot);
                    done.increment();
                }
            }));
        }
        for (int round = 0; round < 60; round++) {
            gate.close(Part.ORPHANS, START);
            assertThat(gate.drain(Part.ORPHANS, LONG)).isTrue();
            long before = done.sum();
            for (int look = 0; look < 20; look++) {
                assertThat(inside.get()).isZero();
            }
            gate.open(Part.ORPHANS);
            while (done.sum() == before) {
                Thread.onSpinWait();
            }
        }
        stop.set(true);
        for (Thread thread : busy) {
            thread.join();
        }
        assertThat(gate.running()).isZero();
    }

    private boolean drain(Part part) {
        try {
            return gate.drain(part, LONG);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private CompletableFuture<Void> request(Verb verb) {
        return request(verb, new CompletableFuture<>());
    }

    private CompletableFuture<Void> request(Verb verb, CompletableFuture<Thread> by) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            by.complete(Thread.currentThread());
            try {
                gate.leave(gate.enter(verb));
                done.complete(null);
            } catch (ErrnoException e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private void awaitWaiting(int count) {
        while (gate.waiting() != count) {
            Thread.onSpinWait();
        }
    }
}
