// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.Interruptible;
import ext4.api.fs.SwapReport;
import ext4.api.fs.SwapReport.Part;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens while a part is missing, and how it comes back. */
@Timeout(60)
class MissingPartTest extends SwapCase {
    private void write() {
        fs().write(Credentials.ROOT, 12, 0, ByteBuffer.allocate(1), 0);
    }

    @Test
    void withoutAJournalReadsGoOnAndChangesWait() {
        fakes.all();
        start();
        Object key = keyOf(Part.JOURNAL, "jbd2");
        goes(Part.JOURNAL, key);
        assertThat(fakes.log).containsExactly("detach journal"); // before its end returned
        fs().getattr(12, null);
        CompletableFuture<Void> write = later(this::write);
        CompletableFuture<Void> unlink = later(() -> fs().unlink(Credentials.ROOT, 2, new byte[] {'x'}));
        fs().forget(12, 1); // never waits
        awaitWaiting(2);
        assertThat(fakes.log).containsExactly("detach journal", "getattr");
        comes(Part.JOURNAL, "jbd2", 0);
        write.join();
        unlink.join();
        settle();
        assertThat(fakes.log)
                .containsSubsequence("detach journal", "getattr", "swap journal null jbd2")
                .contains("write", "unlink", "forget");
        assertThat(mount.switches()).extracting(SwapReport::to).containsExactly("none", "jbd2");
        assertThat(mount.switches().getLast().pauseMicros()).isPositive();
        assertThat(counts(Part.JOURNAL)).startsWith("1 replaced, 0 refused, 1 missing, pause last ");
    }

    @Test
    void withoutACoreEverythingWaits() {
        fakes.all();
        start();
        goes(Part.CORE, keyOf(Part.CORE, "ext4"));
        assertThat(fakes.log).containsExactly("freeze ext4", "close core");
        CompletableFuture<Void> getattr = later(() -> fs().getattr(12, null));
        CompletableFuture<Void> write = later(this::write);
        fs().forget(12, 1);
        awaitWaiting(2);
        assertThatThrownBy(() -> mount.remount("ro")).hasMessage(mnt + ": its core is missing");
        assertThatThrownBy(mount::orphans).hasMessage(mnt + ": its core is missing");
        comes(Part.CORE, "ext4", 0);
        getattr.join();
        write.join();
        settle();
        assertThat(fakes.log).contains("adopt ext4 1", "getattr", "write", "forget");
        assertThat(logged)
                .anySatisfy(line -> assertThat(line)
                        .isEqualTo(
                                "WARN " + mnt + ": core 'ext4' is gone; all requests wait: start a bundle that provides"
                                        + " any core ('ext4' was of ext4.fake), or choose one that is there: none"));
    }

    @Test
    void afterTheLimitItIsEioAndTheLogSaysWhatToStart() {
        fakes.all();
        properties.put(Mount.PART_LIMIT, "0");
        start();
        goes(Part.JOURNAL, keyOf(Part.JOURNAL, "jbd2"));
        assertThatThrownBy(this::write).isSameAs(ErrnoException.of(Errno.EIO));
        assertThatThrownBy(this::write).isSameAs(ErrnoException.of(Errno.EIO));
        fs().getattr(12, null);
        assertThat(logged)
                .filteredOn(line -> line.startsWith("ERROR"))
                .containsExactly(
                        "ERROR " + mnt + ": write failed with EIO after waiting 0 s: start a bundle that provides"
                                + " any journal ('jbd2' was of ext4.fake), or choose one that is there: none");
        comes(Part.JOURNAL, "jbd2", 0);
        settle();
        write();
    }

    /** The limit is that of a missing part: a hand-over ends by itself, and fails no request whatever the limit. */
    @Test
    void theLimitDoesNotCountWhileAPartIsReplaced() throws MountException {
        fakes.all();
        offer(Part.CORE, "other", -1);
        properties.put(Mount.PART_LIMIT, "0");
        start();
        CompletableFuture<CompletableFuture<Void>> request = new CompletableFuture<>();
        fakes.at("adopt other", () -> {
            request.complete(later(() -> fs().getattr(12, null)));
            awaitWaiting(1);
        });
        mount.replace(Part.CORE, "other");
        request.join().join();
        assertThat(fakes.log).contains("adopt other 1", "getattr");
    }

    @Test
    void anInterruptEndsTheWait() {
        fakes.all();
        start();
        goes(Part.CORE, keyOf(Part.CORE, "ext4"));
        CompletableFuture<Thread> by = new CompletableFuture<>();
        CompletableFuture<Void> waits = later(() -> {
            by.complete(Thread.currentThread());
            fs().getattr(12, null);
        });
        awaitWaiting(1);
        assertThat(((Interruptible) fs()).interrupt(by.join())).isTrue();
        assertThatThrownBy(waits::join).hasCause(ErrnoException.of(Errno.EINTR));
    }

    static Stream<List<Part>> orders() {
        return Stream.of(
                List.of(Part.STRATEGY, Part.JOURNAL, Part.CORE),
                List.of(Part.STRATEGY, Part.CORE, Part.JOURNAL),
                List.of(Part.JOURNAL, Part.STRATEGY, Part.CORE),
                List.of(Part.JOURNAL, Part.CORE, Part.STRATEGY),
                List.of(Part.CORE, Part.STRATEGY, Part.JOURNAL),
                List.of(Part.CORE, Part.JOURNAL, Part.STRATEGY));
    }

    @ParameterizedTest(name = "they come as {0}")
    @MethodSource("orders")
    void allMayGoAndComeInAnyOrder(List<Part> order) {
        for (List<Part> goes : orders().toList()) {
            FakeParts here = fakes;
            here.log.clear();
            if (mount == null) {
                here.all();
                start();
            }
            for (Part part : goes) {
                goes(part, keyOf(part, current(part)));
                assertThat(current(part)).isNull();
            }
            CompletableFuture<Void> waits = later(this::write);
            awaitWaiting(1);
            for (Part part : order) {
                assertThat(waits).isNotDone();
                comes(part, "again", 0);
                settle();
            }
            waits.join();
            assertRequestsGoOn();
        }
    }

    @Test
    void aCoreIsNotReplacedWhileAnotherPartIsMissing() {
        fakes.all();
        start();
        goes(Part.JOURNAL, keyOf(Part.JOURNAL, "jbd2"));
        assertThatThrownBy(() -> mount.replace(Part.CORE, null))
                .hasMessage("core 'ext4' refused: the journal is missing, which it needs");
        fs().getattr(12, null);
    }

    @Test
    void anUnmountWithoutACoreSaysThatTheImageIsNotMarkedClean() {
        fakes.all();
        start();
        goes(Part.CORE, keyOf(Part.CORE, "ext4"));
        assertThatThrownBy(mount::unmount)
                .hasMessage(
                        "/img: could not be left clean: /img: unmounted while its core is missing, so its superblock"
                                + " is not marked clean; nothing is lost, and the next mount or check frees 2 unlinked files");
        assertThat(mount.state()).isEqualTo(Mount.State.FAILED);
        assertThat(fakes.log).endsWith("close mount point", "close device");
    }

    @Test
    void whenItsServiceGoesTheNextTakesOver() {
        fakes.all();
        for (Part part : Part.values()) {
            offer(part, "other", -1);
        }
        start();
        for (Part part : Part.values()) {
            goes(part, keyOf(part, current(part)));
            assertThat(current(part)).isEqualTo("other"); // as soon as its end returns
            assertRequestsGoOn();
        }
        assertThat(mount.switches()).hasSize(4).extracting(SwapReport::to).containsOnly("other");
    }

    @Test
    void aBetterOneIsSwitchedToAndANamedOneWins() {
        fakes.all();
        start();
        Object better = comes(Part.CORE, "better", 10);
        settle();
        assertThat(current(Part.CORE)).isEqualTo("better");
        properties.put(Mount.CORE, "ext4");
        mount.configure(properties);
        settle();
        assertThat(current(Part.CORE)).isEqualTo("ext4");
        goes(Part.CORE, better);
        assertThat(current(Part.CORE)).isEqualTo("ext4");
        assertThat(mount.choice(Part.CORE)).isEqualTo(new Mount.Choice("ext4", "ext4", List.of("ext4")));
    }

    @Test
    void theOperatorsChoiceIsWrittenIntoTheConfigurationAndARenewalIsNot() throws MountException {
        fakes.all();
        start();
        for (Part part : Part.values()) {
            offer(part, "other", -1);
            assertThat(mount.replace(part, null).to()).isEqualTo(current(part)).isNotEqualTo("other");
            assertThat(mount.replace(part, "other").to()).isEqualTo("other");
            assertThat(mount.replace(part, "other").pauseMicros()).isZero(); // at work already
        }
        assertThat(records)
                .containsExactly(
                        "orphan.strategy other",
                        "orphan.strategy other",
                        "journal other",
                        "journal other",
                        "core other",
                        "core other",
                        "transport other",
                        "transport other");
        assertThat(mount.switches()).hasSize(8);
    }
}
