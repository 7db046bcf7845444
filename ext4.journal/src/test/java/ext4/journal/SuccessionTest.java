// SPDX-License-Identifier: Apache-2.0
package ext4.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.journal.Barrier;
import ext4.api.journal.Handle;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalClosedException;
import ext4.testkit.device.DeviceEvent;
import ext4.testkit.device.RecordingDevice;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A journal that is closed while callers are at work, and the one that takes its place. */
class SuccessionTest extends JournalBench {
    private static final int THREADS = 4;
    private static final int SUCCESSIONS = 60;

    /** As a core does it: the successor is in place before the barrier falls. */
    private Journal replace(Journal old, String name, AtomicReference<Journal> current) {
        try (Barrier barrier = old.lockUpdates()) {
            old.close();
            host.newestTid = old.runningTid();
            Journal next = open(name);
            current.set(next);
            return next;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jbd2", "none"})
    void startersAndRestartersGoOnWithTheSuccessor(String name) throws Exception {
        AtomicReference<Journal> current = new AtomicReference<>(open(name));
        AtomicBoolean end = new AtomicBoolean();
        AtomicInteger told = new AtomicInteger();
        List<FakeBlock> blocks = new ArrayList<>();
        List<AtomicInteger> acknowledged = new ArrayList<>();
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            FakeBlock block = host.block(FakeHost.DATA_AT + t);
            AtomicInteger value = new AtomicInteger();
            blocks.add(block);
            acknowledged.add(value);
            threads.add(async(() -> {
                while (!end.get()) {
                    told.addAndGet(changeTwice(current, block, value));
                }
            }));
        }
        for (int i = 0; i < SUCCESSIONS; i++) {
            int sum = acknowledged.stream().mapToInt(AtomicInteger::get).sum();
            while (acknowledged.stream().mapToInt(AtomicInteger::get).sum() < sum + 2 * THREADS) {
                Thread.onSpinWait();
            }
            replace(current.get(), name, current);
        }
        end.set(true);
        for (CompletableFuture<Void> thread : threads) {
            thread.get(LIMIT, TimeUnit.SECONDS);
        }
        current.get().close();
        assertThat(told.get()).as("who met a closed journal").isPositive();
        for (int t = 0; t < THREADS; t++) {
            assertThat(onDisk(blocks.get(t))).isEqualTo(acknowledged.get(t).get());
            assertThat(blocks.get(t).journalState()).isNull();
            assertThat(blocks.get(t).pins.get()).isZero();
        }
        assertThat(new Jbd2Provider().recover(host).transactions()).isZero();
    }

    /** One change under a start, one after a restart, and now and then a wait for the commit; how often it was told. */
    private static int changeTwice(AtomicReference<Journal> current, FakeBlock block, AtomicInteger value) {
        int told = 0;
        Handle handle = null;
        Journal journal = null;
        while (handle == null) {
            journal = current.get();
            try {
                handle = start(journal, 1);
            } catch (JournalClosedException e) {
                told++;
            }
        }
        fill(handle, block, value);
        try {
            handle.restart(1, 0);
            fill(handle, block, value);
        } catch (JournalClosedException e) {
            told++;
        } finally {
            handle.close();
        }
        if (value.get() % 16 == 0) {
            journal.commitRunning();
        }
        return told;
    }

    private static void fill(Handle handle, FakeBlock block, AtomicInteger value) {
        Content.fill(handle.write(block), block.pblk(), value.get() + 1);
        value.incrementAndGet();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jbd2", "none"})
    void aClosedJournalHoldsNothingAndAnswers(String name) {
        Journal journal = open(name);
        FakeOrphans orphans = new FakeOrphans(host.block(FakeHost.DATA_AT));
        journal.orphans(orphans);
        FakeBlock block = host.block(700);
        FakeBlock freed = host.block(701);
        journal.commit(change(journal, block, 1));
        journal.commit(change(journal, freed, 1));
        long tid = change(journal, block, 2);
        try (Handle handle = start(journal, 1)) {
            handle.forget(701, freed);
        }
        List<Long> committed = new ArrayList<>();
        host.committed = committed::add;
        Barrier barrier = journal.lockUpdates();
        Handle own = barrier.handle();
        assertThatThrownBy(journal::close).isInstanceOf(IllegalStateException.class);
        own.close();
        long closings = orphans.closings.get();
        journal.close();
        assertThat(orphans.closings.get()).as("the last commit closes the list").isEqualTo(closings + 1);
        assertThat(committed).as("what it freed is settled").contains(tid);
        assertThat(block.journalState()).isNull();
        assertThat(freed.journalState()).isNull();
        assertThat(block.pins.get() + freed.pins.get()).isZero();
        assertThat(onDisk(block)).isEqualTo(2);
        assertThatThrownBy(() -> start(journal, 1)).isInstanceOf(IllegalStateException.class);
        int events = device.position();
        barrier.close();
        assertThatThrownBy(() -> start(journal, 1)).isSameAs(JournalClosedException.INSTANCE);
        assertThatThrownBy(journal::lockUpdates).isSameAs(JournalClosedException.INSTANCE);
        journal.commit(tid);
        journal.commit(journal.runningTid());
        journal.commitRunning();
        journal.checkpoint();
        journal.abort(new IllegalStateException("the log is another's"));
        assertThat(journal.abortCause()).isNull();
        assertThat(host.abortCalls).isZero();
        journal.close();
        assertThat(device.position())
                .as("nothing is written after it is closed")
                .isEqualTo(events);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jbd2", "none"})
    void whoWaitsForACommitReturnsWhenTheJournalCloses(String name) throws Exception {
        Journal journal = open(name);
        FakeBlock block = host.block(700);
        long tid = change(journal, block, 7);
        CompletableFuture<Void> waiter;
        CompletableFuture<Void> running;
        CountDownLatch begun = new CountDownLatch(2);
        try (Barrier barrier = journal.lockUpdates()) {
            Handle open = barrier.handle();
            waiter = async(() -> {
                begun.countDown();
                journal.commit(tid);
                assertThat(name.equals("jbd2") ? recoveredOnCopy(block) : onDisk(block))
                        .isEqualTo(7);
            });
            running = async(() -> {
                begun.countDown();
                journal.commitRunning();
            });
            await(begun);
            assertThat(waiter).isNotDone();
            open.close();
            journal.close();
        }
        waiter.get(LIMIT, TimeUnit.SECONDS);
        running.get(LIMIT, TimeUnit.SECONDS);
        assertThat(onDisk(block)).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jbd2", "none"})
    void transactionNumbersGoOn(String name) {
        Journal first = open(name);
        FakeBlock block = host.block(700);
        long older = change(first, block, 1);
        for (int i = 0; i < 5; i++) {
            first.commitRunning(); // empty ones take a number, but none of the log's sequence
        }
        long newer = change(first, block, 2);
        AtomicReference<Journal> current = new AtomicReference<>(first);
        Journal second = replace(first, name, current);
        assertThat(second.durableTid()).isGreaterThanOrEqualTo(newer).isGreaterThan(older);
        assertThat(second.runningTid()).isGreaterThan(first.runningTid());
        int events = device.position();
        second.commit(newer);
        second.commit(first.runningTid());
        assertThat(device.position())
                .as("what the old one committed is durable")
                .isEqualTo(events);
        long tid = change(second, block, 3);
        assertThat(tid).isGreaterThan(newer);
        second.commit(tid);
        if (name.equals("jbd2")) {
            assertThat(recoveredOnCopy(block)).isEqualTo(3);
        }
    }

    private long recoveredOnCopy(FakeBlock block) {
        byte[] copy = image.clone();
        new Jbd2Provider().recover(host.on(new ArrayDevice(copy)));
        return Content.value(copy, block.pblk() * FakeHost.BLOCK);
    }

    @Test
    void anEmptyLogIsTakenOverWithoutAWrite() {
        Journal first = open("jbd2");
        first.commit(change(first, host.block(700), 1));
        first.close();
        int events = device.position();
        open("jbd2");
        assertThat(device.position()).isEqualTo(events);
    }

    @Test
    void whatFailsWithoutAnAbortLeavesItAtWork() {
        AtomicBoolean fails = new AtomicBoolean();
        device = new RecordingDevice(new ArrayDevice(image) {
            @Override
            public void write(long offset, ByteBuffer src) {
                if (fails.get() && offset == 700L * FakeHost.BLOCK) {
                    throw new OutOfMemoryError("planned");
                }
                super.write(offset, src);
            }
        });
        device.start();
        host = new FakeHost(device);
        Journal journal = open("jbd2");
        FakeBlock block = host.block(700);
        FakeBlock neighbour = host.block(703);
        change(journal, block, 1);
        change(journal, neighbour, 1);
        fails.set(true);
        try (Barrier barrier = journal.lockUpdates()) {
            assertThatThrownBy(journal::close).isInstanceOf(OutOfMemoryError.class);
        }
        assertThat(journal.abortCause()).isNull();
        journal.commit(change(journal, block, 2));
        assertThat(recoveredOnCopy(block)).isEqualTo(2);
        fails.set(false);
        journal.close();
        assertThat(onDisk(block)).isEqualTo(2);
        assertThat(onDisk(neighbour)).isEqualTo(1);
        assertThat(block.pins.get() + neighbour.pins.get()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jbd2", "none"})
    void aDeviceErrorInTheLastCommitAborts(String name) {
        int tried = 0;
        for (boolean failed = true; failed; tried++) {
            makeImage();
            Journal journal = open(name);
            FakeBlock block = host.block(700);
            journal.commit(change(journal, block, 1));
            long tid = change(journal, block, 2);
            failing.failIn(tried, true);
            failed = false;
            try (Barrier barrier = journal.lockUpdates()) {
                journal.close();
            } catch (RuntimeException e) {
                failed = true;
            }
            failing.heal();
            assertThat(failed).isEqualTo(journal.abortCause() != null);
            if (failed) {
                assertThat(host.abortCalls).isEqualTo(1);
                assertThatThrownBy(() -> start(journal, 1))
                        .isEqualTo(ext4.api.fs.ErrnoException.of(ext4.api.fs.Errno.EROFS));
                new Jbd2Provider().recover(host);
                assertThat(onDisk(block)).isBetween(1L, 2L);
                if (journal.durableTid() >= tid) {
                    assertThat(onDisk(block)).isEqualTo(2);
                }
            } else {
                assertThat(onDisk(block)).isEqualTo(2);
            }
            assertThat(block.journalState()).isNull();
            assertThat(block.pins.get()).isZero();
        }
        assertThat(tried).as("operations of a close").isGreaterThan(name.equals("jbd2") ? 6 : 2);
    }

    @Test
    void everyStateOfTheDeviceDuringASuccessionRecovers() {
        Journal first = open("jbd2");
        FakeBlock[] blocks = {host.block(700), host.block(710), host.block(720)};
        first.commit(changeAll(first, blocks, 1));
        byte[] before = image.clone();
        int from = device.position();
        first.commit(changeAll(first, blocks, 2));
        int durable = device.position();
        changeAll(first, blocks, 3);
        AtomicReference<Journal> current = new AtomicReference<>(first);
        Journal second = replace(first, "jbd2", current);
        int replaced = device.position();
        second.commit(changeAll(second, blocks, 4));
        List<DeviceEvent> events = device.events();
        for (int at = durable; at <= events.size(); at++) {
            byte[] crashed = before.clone();
            for (DeviceEvent event : events.subList(from, at)) {
                if (event instanceof DeviceEvent.Write write) {
                    System.arraycopy(write.data(), 0, crashed, (int) write.offset(), write.data().length);
                }
            }
            new Jbd2Provider().recover(host.on(new ArrayDevice(crashed)));
            long value = Content.value(crashed, 700L * FakeHost.BLOCK);
            assertThat(value)
                    .as("state after %s of %s events", at, events.size())
                    .isBetween(at >= replaced ? 3L : 2L, 4L);
            if (at == events.size()) {
                assertThat(value).isEqualTo(4);
            }
            for (FakeBlock block : blocks) {
                assertThat(Content.value(crashed, block.pblk() * FakeHost.BLOCK))
                        .as("one transaction, after %s events", at)
                        .isEqualTo(value);
            }
        }
    }

    private static long changeAll(Journal journal, FakeBlock[] blocks, long value) {
        try (Handle handle = start(journal, blocks.length)) {
            for (FakeBlock block : blocks) {
                Content.fill(handle.write(block), block.pblk(), value);
            }
            return handle.tid();
        }
    }
}
