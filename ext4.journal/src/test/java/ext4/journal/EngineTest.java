// SPDX-License-Identifier: Apache-2.0
package ext4.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ext4.api.fs.CorruptException;
import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Barrier;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.format.jbd2.BlockHeader;
import ext4.journal.engine.Engine;
import ext4.testkit.device.FailingDevice;
import ext4.testkit.device.RecordingDevice;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a handle, a commit, the barrier and an abort promise; the same for both providers where it applies to both. */
class EngineTest {
    private static final JournalOptions OPTIONS = new JournalOptions(600_000, true, 1 << 20);
    private static final long LIMIT = 60;

    private RecordingDevice device;
    private FailingDevice failing;
    private FakeHost host;
    private byte[] image;
    private final List<Journal> opened = new ArrayList<>();

    @BeforeEach
    void makeImage() {
        image = FakeHost.image();
        failing = new FailingDevice(new ArrayDevice(image));
        device = new RecordingDevice(failing);
        device.start();
        host = new FakeHost(device);
    }

    @AfterEach
    void closeAll() {
        failing.heal();
        opened.forEach(Journal::close);
        assertThat(Thread.getAllStackTraces().keySet())
                .as("threads that outlive their journals")
                .noneMatch(thread -> thread.getName().startsWith("ext4-journal") && thread.isAlive());
    }

    private Journal open(String name) {
        JournalProvider provider = name.equals("jbd2") ? new Jbd2Provider() : new NoLogProvider();
        Journal journal = provider.open(host, OPTIONS);
        opened.add(journal);
        return journal;
    }

    private static Handle start(Journal journal, int credits) {
        return journal.start(HandleKind.INODE, credits, 0);
    }

    private long change(Journal journal, FakeBlock block, long value) {
        try (Handle handle = start(journal, 1)) {
            Content.fill(handle.write(block), block.pblk(), value);
            return handle.tid();
        }
    }

    private long onDisk(FakeBlock block) {
        return Content.value(image, block.pblk() * FakeHost.BLOCK);
    }

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

    /** In a thread of its own: the tests' tasks wait for each other. */
    private static CompletableFuture<Void> async(Runnable task) {
        return CompletableFuture.runAsync(task, run -> Thread.ofPlatform().start(run));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(LIMIT, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

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
    void anAbortStopsWritingAndIsToldOnce() {
        Journal journal = open("jbd2");
        FakeBlock block = host.block(700);
        journal.commit(change(journal, block, 1));
        Handle waiting = start(journal, 1);
        waiting.write(block)[100] = 1;
        IllegalStateException cause = new IllegalStateException("on purpose");
        journal.abort(cause);
        journal.abort(new IllegalStateException("again"));
        assertThat(waiting.extend(1)).isFalse();
        assertThatThrownBy(() -> waiting.restart(1, 0)).isEqualTo(ErrnoException.of(Errno.EROFS));
        waiting.close();
        assertThatThrownBy(() -> start(journal, 1)).isEqualTo(ErrnoException.of(Errno.EROFS));
        assertThatThrownBy(journal::commitRunning)
                .isInstanceOf(DeviceException.class)
                .hasCause(cause);
        assertThatThrownBy(journal::checkpoint).isInstanceOf(DeviceException.class);
        assertThat(journal.abortCause()).isSameAs(cause);
        assertThat(host.aborted).isSameAs(cause);
        assertThat(host.abortCalls).isEqualTo(1);
        int before = device.position();
        journal.close();
        assertThat(device.position()).isEqualTo(before);
        assertThat(block.pins.get()).isZero();
        assertThatThrownBy(() -> open("jbd2")).isInstanceOf(CorruptException.class);
        var recovery = new Jbd2Provider().recover(host);
        assertThat(recovery.transactions()).isEqualTo(1);
        assertThat(recovery.recordedError()).isEqualTo(-Errno.EIO.number());
        assertThat(onDisk(block)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jbd2", "none"})
    void aThrowInClosingAborts(String name) {
        Journal journal = open(name);
        FakeBlock block = host.block(700);
        IllegalStateException cause = new IllegalStateException("closing");
        host.closing = handle -> {
            throw cause;
        };
        long tid = change(journal, block, 1);
        assertThatThrownBy(() -> journal.commit(tid))
                .isInstanceOf(DeviceException.class)
                .hasCause(cause);
        journal.close();
        assertThat(host.abortCalls).isEqualTo(1);
        assertThat(onDisk(block)).isZero();
        if (name.equals("jbd2")) {
            assertThat(new Jbd2Provider().recover(host).transactions()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jbd2", "none"})
    void aDeviceErrorAtAnyOperationAborts(String name) {
        for (int at = 0; at < 12; at++) {
            makeImage();
            Journal journal = open(name);
            FakeBlock block = host.block(700);
            journal.commit(change(journal, block, 1));
            failing.failIn(at, false);
            boolean failed = false;
            try {
                journal.commit(change(journal, block, 2));
                journal.close();
            } catch (DeviceException e) {
                failed = true;
            }
            assertThat(failed).as("failing from operation %s on", at).isEqualTo(journal.abortCause() != null);
            failing.heal();
            journal.close();
            assertThat(block.pins.get()).isZero();
            new Jbd2Provider().recover(host);
            assertThat(onDisk(block)).isBetween(1L, 2L);
        }
    }

    @Test
    void theBarrierKeepsHandlesOutButNotItsOwn() throws Exception {
        Journal journal = open("jbd2");
        FakeOrphans first = new FakeOrphans(host.block(FakeHost.DATA_AT));
        FakeOrphans second = new FakeOrphans(host.block(FakeHost.DATA_AT));
        journal.orphans(first);
        CompletableFuture<Void> other;
        try (Barrier barrier = journal.lockUpdates()) {
            assertThatThrownBy(() -> start(journal, 1)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(journal::lockUpdates).isInstanceOf(IllegalStateException.class);
            other = async(() -> {
                try (Handle handle = start(journal, 1)) {
                    assertThat(handle.orphans()).isSameAs(second);
                }
            });
            Handle own = barrier.handle();
            assertThat(barrier.handle()).isSameAs(own);
            assertThat(own.orphans()).isSameAs(first);
            own.write(host.block(700));
            barrier.publish(second);
            assertThat(own.orphans()).isSameAs(second);
            assertThatThrownBy(journal::commitRunning).isInstanceOf(IllegalStateException.class);
            own.close();
            journal.commitRunning();
            assertThat(other).isNotDone();
        }
        other.get(LIMIT, TimeUnit.SECONDS);
        assertThat(first.closings.get()).isZero();
        assertThat(second.closings.get()).isEqualTo(1);
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
    void startersThatWaitedWhileTheJournalWasReplacedAreToldSo() throws Exception {
        Journal journal = open("jbd2");
        Journal next;
        CompletableFuture<Boolean> other = new CompletableFuture<>();
        AtomicReference<Journal> current = new AtomicReference<>(journal);
        try (Barrier barrier = journal.lockUpdates()) {
            async(() -> {
                try {
                    start(journal, 1).close();
                    other.complete(false);
                } catch (IllegalStateException e) {
                    other.complete(current.get() != journal);
                }
            });
            while (journal.counters().get("handle waits for lock or barrier") == 0) {
                Thread.onSpinWait();
            }
            journal.commitRunning();
            journal.checkpoint();
            journal.close();
            next = open("jbd2");
            current.set(next);
        }
        assertThat(other.get(LIMIT, TimeUnit.SECONDS)).isTrue();
        next.commit(change(next, host.block(700), 1));
    }

    @Test
    void everyClassOfTheBundleIsLoadedAheadOfUse() throws Exception {
        Path classes = Path.of(
                Engine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        assumeTrue(Files.isDirectory(classes), "skipped: the classes under test are in a jar");
        try (Stream<Path> files = Files.walk(classes.resolve("ext4/journal"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".class"))
                            .map(file -> classes.relativize(file).toString())
                            .map(name -> name.replace(".class", "").replace('/', '.'))
                            .filter(name -> !name.endsWith("package-info"))
                            .filter(name -> name.indexOf('.', "ext4.journal.".length()) > 0))
                    .isSubsetOf(Preload.classes());
        }
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

    @Test
    void withoutALogTheSameWorkEndsInTheSameState() throws Exception {
        long seed = Long.getLong("ext4.seed", System.nanoTime());
        Model model = new Model();
        Journal journal = open("none");
        Workload workload = new Workload(host, device, journal, model);
        workload.run(3, 1000, 40, seed);
        long last = journal.runningTid();
        journal.close();
        model.check(image, last, "seed " + seed);
    }
}
