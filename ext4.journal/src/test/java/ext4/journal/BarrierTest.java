// SPDX-License-Identifier: Apache-2.0
package ext4.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ext4.api.journal.Barrier;
import ext4.api.journal.Handle;
import ext4.api.journal.Journal;
import ext4.journal.engine.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The barrier, and what a replacement of parts behind it needs. */
class BarrierTest extends JournalBench {
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
}
