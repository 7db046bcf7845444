// SPDX-License-Identifier: Apache-2.0
package ext4.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.journal.Handle;
import ext4.api.journal.Journal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a handle promises, and what becomes of blocks that are freed under one. */
class HandleTest extends JournalBench {
    @ParameterizedTest
    @ValueSource(strings = {"jbd2", "none"})
    void aHandleDoesNotNest(String name) {
        Journal journal = open(name);
        try (Handle handle = start(journal, 2)) {
            assertThatThrownBy(() -> start(journal, 1)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(journal::commitRunning).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(journal::lockUpdates).isInstanceOf(IllegalStateException.class);
            assertThat(handle.credits()).isEqualTo(2);
        }
        start(journal, 1).close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jbd2", "none"})
    void aHandleHasNoMoreBlocksThanCredits(String name) {
        Journal journal = open(name);
        FakeBlock first = host.block(700);
        try (Handle handle = start(journal, 1)) {
            byte[] data = handle.write(first);
            assertThat(handle.write(first))
                    .as("the second write of a block is free")
                    .isSameAs(data);
            FakeBlock second = host.block(701);
            assertThatThrownBy(() -> handle.write(second)).isInstanceOf(IllegalStateException.class);
            assertThat(second.journalState()).isNull();
            assertThat(handle.extend(1)).isTrue();
            handle.write(second);
        }
        assertThatThrownBy(() -> start(journal, journal.maxCredits() + 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jbd2", "none"})
    void theLargestHandleFitsThoughOthersHoldCredits(String name) throws Exception {
        Journal journal = open(name);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Void> other = async(() -> {
            try (Handle handle = start(journal, 5)) {
                handle.write(host.block(700));
                started.countDown();
                await(end);
            }
        });
        await(started);
        CompletableFuture<Void> large =
                async(() -> start(journal, journal.maxCredits()).close());
        end.countDown();
        other.get(LIMIT, TimeUnit.SECONDS);
        large.get(LIMIT, TimeUnit.SECONDS);
    }

    @Test
    void aForgottenBlockIsNeverCheckpointed() {
        Journal journal = open("jbd2");
        FakeBlock block = host.block(700);
        journal.commit(change(journal, block, 1));
        try (Handle handle = start(journal, 1)) {
            handle.write(host.block(701));
            handle.forget(block.pblk(), block);
        }
        journal.commitRunning();
        assertThat(block.pins.get()).isZero();
        journal.checkpoint();
        assertThat(onDisk(block)).isZero();
        assertThat(journal.counters())
                .containsEntry("log blocks free", journal.counters().get("log blocks"));
    }

    @Test
    void aFreedBlockIsKeptUntilTheFreeingIsDurable() {
        Journal journal = open("jbd2");
        FakeBlock block = host.block(700);
        journal.commit(change(journal, block, 1));
        try (Handle handle = start(journal, 1)) {
            handle.forget(block.pblk(), block);
        }
        byte[] crashed = image.clone();
        new Jbd2Provider().recover(new FakeHost(new ArrayDevice(crashed)));
        assertThat(Content.value(crashed, 700L * FakeHost.BLOCK)).isEqualTo(1);
    }

    @Test
    void aFrozenVersionIsNotChangedByTheNextTransaction() {
        FakeBlock block = new FakeBlock(700, new byte[FakeHost.BLOCK]);
        Journal journal = open("jbd2");
        long first = change(journal, block, 1);
        byte[] frozen = block.data();
        journal.commit(first);
        change(journal, block, 2);
        assertThat(block.data()).isNotSameAs(frozen);
        assertThat(Content.sealed(FakeHost.BLOCK, 700, 1)).isEqualTo(frozen);
    }

    @Test
    void aFreedBlockIsNotGivenOutWhileItsOldVersionIsOnItsWay() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean inFlight = new AtomicBoolean();
        FakeBlock block = host.block(700);
        host = new FakeHost(new ArrayDevice(image) {
            @Override
            public void write(long offset, ByteBuffer src) {
                if (offset == block.pblk() * FakeHost.BLOCK) {
                    inFlight.set(true);
                    writing.countDown();
                    await(goOn);
                    super.write(offset, src);
                    inFlight.set(false);
                } else {
                    super.write(offset, src);
                }
            }
        });
        AtomicBoolean early = new AtomicBoolean();
        CountDownLatch freed = new CountDownLatch(1);
        Journal journal = open("jbd2");
        journal.commit(change(journal, block, 1));
        CompletableFuture<Void> checkpoint = async(journal::checkpoint);
        await(writing);
        host.committed = tid -> {
            early.set(inFlight.get());
            freed.countDown();
        };
        try (Handle handle = start(journal, 1)) {
            handle.forget(block.pblk(), block);
        }
        CompletableFuture<Void> commit = async(journal::commitRunning);
        while (freed.getCount() != 0 && !commitThreadIsIn("awaitBatch")) {
            Thread.onSpinWait();
        }
        goOn.countDown();
        checkpoint.get(LIMIT, TimeUnit.SECONDS);
        commit.get(LIMIT, TimeUnit.SECONDS);
        assertThat(early)
                .as("the host was told while the old version was being written")
                .isFalse();
    }

    private static boolean commitThreadIsIn(String method) {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(each -> each.getKey().getName().equals("ext4-journal-commit"))
                .flatMap(each -> Arrays.stream(each.getValue()))
                .anyMatch(frame -> frame.getMethodName().equals(method));
    }

    @Test
    void moreRevokesThanTheLogHoldsAreCommitted() {
        Journal journal = open("jbd2");
        FakeBlock block = host.block(700);
        journal.commit(change(journal, block, 1));
        long tid;
        try (Handle handle = start(journal, 1)) {
            for (int i = 0; i < 1_000_000; i++) {
                handle.forget(1 + i, null);
            }
            handle.write(host.block(701));
            tid = handle.tid();
        }
        journal.commit(tid);
        assertThat(journal.durableTid()).isGreaterThanOrEqualTo(tid);
        assertThat(onDisk(block))
                .as("written to its place to make the revokes needless")
                .isEqualTo(1);
    }
}
