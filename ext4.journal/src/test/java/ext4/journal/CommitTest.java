// SPDX-License-Identifier: Apache-2.0
package ext4.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalOptions;
import ext4.format.jbd2.BlockHeader;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a commit writes and when; the same for both providers where it applies to both. */
class CommitTest extends JournalBench {
    @ParameterizedTest
    @ValueSource(strings = {"jbd2", "none"})
    void anEmptyTransactionIsNotWritten(String name) {
        Journal journal = open(name);
        int before = device.position();
        long tid;
        try (Handle handle = start(journal, 3)) {
            tid = handle.tid();
        }
        journal.commit(tid);
        journal.commitRunning();
        assertThat(journal.durableTid()).isGreaterThanOrEqualTo(tid);
        assertThat(device.position()).isEqualTo(before);
    }

    @Test
    void aTransactionWithOnlyPendingOrphansIsWritten() {
        Journal journal = open("jbd2");
        FakeOrphans orphans = new FakeOrphans(host.block(FakeHost.DATA_AT));
        journal.orphans(orphans);
        try (Handle handle = journal.start(HandleKind.NAMESPACE, 0, 1)) {
            handle.orphans().add(handle, 12);
        }
        journal.commitRunning();
        assertThat(orphans.closings.get()).isEqualTo(1);
        assertThat(journal.counters()).containsEntry("blocks", 1L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jbd2", "none"})
    void aClosedJournalHasEverythingInItsPlace(String name) {
        Journal journal = open(name);
        FakeBlock block = host.block(700);
        for (int i = 1; i <= 5; i++) {
            long tid = change(journal, block, i);
            if (i != 5) {
                journal.commit(tid);
            }
        }
        journal.close();
        assertThat(onDisk(block)).isEqualTo(5);
        assertThat(block.pins.get()).isZero();
        assertThat(block.journalState()).isNull();
        assertThatThrownBy(() -> start(journal, 1)).isInstanceOf(IllegalStateException.class);
        if (name.equals("jbd2")) {
            assertThat(new Jbd2Provider().recover(host).transactions()).isZero();
            long next = open("jbd2").runningTid();
            assertThat(next).as("sequence numbers are not used twice").isGreaterThan(5);
        }
    }

    @Test
    void aBlockThatLooksLikeAControlBlockIsEscapedInTheLog() {
        Journal journal = open("jbd2");
        FakeBlock block = host.block(700);
        journal.commit(change(journal, block, 7));
        assertThat(BlockHeader.hasMagic(block.data(), 0)).isTrue();
        int control = 0;
        for (int lblk = 1; lblk < FakeHost.LOG; lblk++) {
            if (BlockHeader.hasMagic(image, (int) host.logBlock(lblk) * FakeHost.BLOCK)) {
                control++;
            }
        }
        assertThat(control).as("descriptor and commit block").isEqualTo(2);
        byte[] crashed = image.clone();
        new Jbd2Provider().recover(new FakeHost(new ArrayDevice(crashed)));
        assertThat(Arrays.copyOfRange(crashed, 700 * FakeHost.BLOCK, 701 * FakeHost.BLOCK))
                .isEqualTo(Content.sealed(FakeHost.BLOCK, 700, 7));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jbd2", "none"})
    void theNextTransactionRunsWhileThisOneIsWritten(String name) throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Journal journal = open(name);
        FakeBlock block = new SealingBlock(host.block(700), writing, goOn);
        long tid = change(journal, block, 1);
        CompletableFuture<Void> commit = async(() -> journal.commit(tid));
        await(writing);
        assertThat(change(journal, block, 2)).isEqualTo(tid + 1);
        assertThat(journal.durableTid()).isLessThan(tid);
        byte[] crashed;
        goOn.countDown();
        commit.get(LIMIT, TimeUnit.SECONDS);
        crashed = image.clone();
        if (name.equals("jbd2")) {
            new Jbd2Provider().recover(new FakeHost(new ArrayDevice(crashed)));
        }
        assertThat(Content.value(crashed, 700L * FakeHost.BLOCK))
                .as("the version that was frozen")
                .isEqualTo(1);
        journal.close();
        assertThat(onDisk(block)).isEqualTo(2);
    }

    @Test
    void memoryThatWaitsIsBounded() {
        Journal journal = new Jbd2Provider().open(host, new JournalOptions(600_000, true, 40L * FakeHost.BLOCK));
        opened.add(journal);
        for (int i = 0; i < 300; i++) {
            journal.commit(change(journal, host.block(FakeHost.DATA_AT + i), i));
            assertThat(journal.counters().get("blocks waiting for checkpoint")).isLessThanOrEqualTo(41);
        }
    }

    @Test
    void theIntervalCommits() throws Exception {
        CountDownLatch committed = new CountDownLatch(1);
        host.committed = tid -> committed.countDown();
        Journal journal = new Jbd2Provider().open(host, new JournalOptions(10, true, 1 << 20));
        opened.add(journal);
        change(journal, host.block(700), 1);
        await(committed);
        assertThat(journal.durableTid()).isPositive();
    }
}
