// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.DeviceException;
import ext4.api.fs.SwapReport.Part;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import ext4.mount.swap.SwapEvent.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A row a step of a hand-over and a way to fail: the old part goes on, or the part is declared missing, and all is told. */
@Timeout(60)
class SwapFaultsTest extends SwapCase {
    private static final Map<String, Supplier<Throwable>> KINDS = Map.of(
            "it refuses", () -> new UnsupportedOperationException("it does not do that"),
            "it throws", () -> new IllegalStateException("it broke"),
            "a class is not there", () -> new NoClassDefFoundError("ext4/journal/Gone"),
            "no memory", () -> new OutOfMemoryError("Java heap space"),
            "the device fails", () -> new DeviceException("/img: input/output error"));

    /** Each step at which the part before goes on. */
    private static final Map<Part, List<String>> STEPS = Map.of(
            Part.STRATEGY,
            List.of("swapOrphanStrategy ext4"),
            Part.JOURNAL,
            List.of("swapJournal ext4", "open other"),
            Part.CORE,
            List.of("prepareFreeze ext4", "freeze ext4", "adopt other"),
            Part.TRANSPORT,
            List.of("suspend fuse", "resume other"));

    static Stream<Arguments> rows() {
        return STEPS.entrySet().stream()
                .flatMap(part -> part.getValue().stream()
                        .flatMap(step ->
                                KINDS.keySet().stream().sorted().map(kind -> Arguments.of(part.getKey(), step, kind))));
    }

    private void fails(String step, Throwable how) {
        fakes.at(step, () -> FakeParts.<RuntimeException>sneak(how));
    }

    private void works(String step) {
        fakes.at(step, () -> {});
    }

    private static String first(Part part) {
        return switch (part) {
            case STRATEGY -> "global";
            case JOURNAL -> "jbd2";
            case CORE -> "ext4";
            case TRANSPORT -> "fuse";
        };
    }

    @ParameterizedTest(name = "{0}, {1}: {2}")
    @MethodSource("rows")
    void thePartBeforeGoesOn(Part part, String step, String kind) throws MountException {
        fakes.all();
        offer(part, "other", -1);
        properties.put(MountConfig.KEYS.get(part), first(part));
        start();
        Throwable how = KINDS.get(kind).get();
        fails(step, how);
        String why = part.text() + " 'other' refused: " + how.getMessage();
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(() -> mount.replace(part, "other"))
                .withMessage(why);
        assertThat(current(part)).isEqualTo(first(part));
        assertThat(mount.choice(part).named()).isEqualTo(first(part));
        assertThat(records).isEmpty();
        assertThat(counts(part)).isEqualTo("0 replaced, 1 refused, 0 missing");
        assertThat(logged).contains("ERROR " + mnt + ": " + why + "; '" + first(part) + "' goes on");
        assertThat(events).hasSize(1);
        assertThat(events.getFirst().outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(events.getFirst().reason()).isEqualTo(why);
        assertThat(mount.switches()).isEmpty();
        assertRequestsGoOn();
        // the configuration asks for the same, and is told why not
        change(part, "other");
        settle();
        assertThat(mount.refusal()).startsWith(part.text() + " 'other' refused: ");
        assertThat(current(part)).isEqualTo(first(part));
        assertRequestsGoOn();
        // what was in the way is no longer
        works(step);
        if (!(how instanceof UnsupportedOperationException) || part != Part.TRANSPORT) { // a kind does not change
            assertThat(mount.replace(part, "other").to()).isEqualTo("other");
            assertThat(mount.refusal()).isNull();
            assertRequestsGoOn();
        }
        mount.unmount();
        assertThat(mount.state()).isEqualTo(Mount.State.UNMOUNTED);
    }

    private void change(Part part, String name) {
        Map<String, Object> changed = new HashMap<>(properties);
        changed.put(MountConfig.KEYS.get(part), name);
        mount.configure(changed);
    }

    /** A service that goes while it is at work, and nothing of it can be put out of use: what works goes on working. */
    static Stream<Arguments> endings() {
        return Map.of(
                        Part.STRATEGY, List.of("detachOrphanStrategy ext4"),
                        Part.JOURNAL, List.of("detachJournal ext4"),
                        Part.CORE, List.of("prepareFreeze ext4", "freeze ext4"),
                        Part.TRANSPORT, List.of("suspend fuse"))
                .entrySet()
                .stream()
                .flatMap(part -> part.getValue().stream()
                        .flatMap(step ->
                                KINDS.keySet().stream().sorted().map(kind -> Arguments.of(part.getKey(), step, kind))));
    }

    @ParameterizedTest(name = "{0} goes, {1}: {2}")
    @MethodSource("endings")
    void whatCannotBePutOutOfUseGoesOn(Part part, String step, String kind) {
        fakes.all();
        start();
        Throwable how = KINDS.get(kind).get();
        fails(step, how);
        goes(part, keyOf(part, first(part)));
        assertThat(current(part)).isEqualTo(first(part));
        assertThat(mount.refusal())
                .startsWith(part.text() + " '" + first(part) + "' is gone, but could not be put out of use: "
                        + how.getMessage());
        assertThat(counts(part)).isEqualTo("0 replaced, 1 refused, 0 missing");
        assertRequestsGoOn();
        works(step);
        comes(part, "other", 0);
        settle();
        assertThat(current(part)).isEqualTo("other");
        assertThat(mount.refusal()).isNull();
        assertRequestsGoOn();
    }

    @Test
    void aRequestThatOutlastsTheLimitIsNotCutAndTheCoreStays() throws Exception {
        fakes.all();
        offer(Part.CORE, "other", -1);
        start(limits(20, 10_000));
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        fakes.at("getattr ext4", () -> {
            inside.countDown();
            FakeParts.await(end);
        });
        CompletableFuture<Void> slow = later(() -> fs().getattr(12, null));
        inside.await();
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(() -> mount.replace(Part.CORE, "other"))
                .withMessage("core 'other' refused: a request runs for longer than 20 ms");
        assertThat(slow).isNotDone();
        assertThat(current(Part.CORE)).isEqualTo("ext4");
        goes(Part.CORE, keyOf(Part.CORE, "other"));
        goes(Part.CORE, keyOf(Part.CORE, "ext4"));
        assertThat(current(Part.CORE)).isEqualTo("ext4");
        end.countDown();
        slow.join();
        comes(Part.CORE, "ext4", 0);
        settle();
        assertThat(counts(Part.CORE)).startsWith("1 replaced, 2 refused, 0 missing");
        works("getattr ext4");
        assertRequestsGoOn();
    }

    /** It can't be cut either; but it loses the device, and only then does the one before go on. */
    @Test
    void aCoreThatTakesTooLongToTakeOverLosesTheDevice() throws Exception {
        fakes.all();
        offer(Part.CORE, "other", -1);
        start(limits(10_000, 20));
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Throwable> late = new CompletableFuture<>();
        fakes.at("adopt other", () -> FakeParts.await(end));
        fakes.lateAdopt = late;
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(() -> mount.replace(Part.CORE, "other"))
                .withMessage("core 'other' refused: it takes longer than 20 ms to take over");
        assertThat(fakes.log).containsExactly("freeze ext4", "thaw ext4");
        assertThat(current(Part.CORE)).isEqualTo("ext4");
        assertRequestsGoOn();
        end.countDown();
        assertThat(late.join()).isInstanceOf(DeviceException.class).hasMessage("/img: another core has taken it over");
        assertThat(fakes.log).doesNotContain("adopt other 1");
    }

    @Test
    void ifTheCoreBeforeCannotGoOnEitherItIsMissingUntilOneTakesOver() {
        fakes.all();
        offer(Part.CORE, "other", -1);
        start();
        fails("adopt other", new IllegalStateException("no"));
        fails("adopt ext4", new IllegalStateException("nor that"));
        fails("thaw ext4", new DeviceException("/img: input/output error"));
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(() -> mount.replace(Part.CORE, "other"))
                .withMessage("core 'other' refused: no; and the one before can't go on: /img: input/output error");
        assertThat(current(Part.CORE)).isNull();
        assertThat(mount.status().get("part core")).startsWith("missing (");
        assertThat(counts(Part.CORE)).isEqualTo("0 replaced, 2 refused, 1 missing");
        assertThat(events)
                .extracting(event -> event.outcome())
                .containsExactly(Outcome.REFUSED, Outcome.MISSING, Outcome.REFUSED);
        CompletableFuture<Void> waits = later(() -> fs().getattr(12, null));
        awaitWaiting(1);
        comes(Part.CORE, "third", 0);
        waits.join();
        assertThat(fakes.log).contains("adopt third 1");
        awaitCurrent(Part.CORE, "third");
        assertRequestsGoOn();
    }

    @Test
    void ifTheTransportBeforeCannotGoOnEitherItIsMissingUntilOneResumes() {
        fakes.all();
        offer(Part.TRANSPORT, "other", -1);
        start();
        fails("resume other", new IllegalStateException("no"));
        fails("resume fuse", new IllegalStateException("nor that"));
        assertThatExceptionOfType(MountException.class)
                .isThrownBy(() -> mount.replace(Part.TRANSPORT, "other"))
                .withMessage("transport 'other' refused: no; and the one before can't go on: nor that");
        assertThat(current(Part.TRANSPORT)).isNull();
        assertThat(mount.status()).containsEntry("transport", "missing, was fuse");
        assertThat(mount.state()).isEqualTo(Mount.State.MOUNTED);
        comes(Part.TRANSPORT, "third", 0);
        settle();
        assertThat(fakes.log).containsExactly("suspend fuse", "resume third fuse");
        assertThat(mount.status()).containsEntry("transport", "third");
        fakes.mountPoint.complete(null); // the end is heard of that one
        assertThat(mount.ended().join()).isEqualTo(Mount.State.UNMOUNTED);
    }

    @Test
    void whatOneBeforeSaysOfItsEndIsNotTheMountPoints() throws MountException {
        fakes.all();
        offer(Part.TRANSPORT, "other", -1);
        start();
        CompletableFuture<Void> before = fakes.mountPoint;
        mount.replace(Part.TRANSPORT, "other");
        before.complete(null);
        settle();
        assertThat(mount.state()).isEqualTo(Mount.State.MOUNTED);
    }

    /** A bundle that doesn't resolve offers no service. */
    @ParameterizedTest
    @EnumSource(Part.class)
    void whatIsNotThereIsRefusedByName(Part part) {
        fakes.all();
        properties.put(MountConfig.KEYS.get(part), first(part));
        start();
        assertThatThrownBy(() -> mount.replace(part, "other"))
                .hasMessageStartingWith("unknown " + part.text() + " 'other'; available: ")
                .hasMessageContaining(first(part));
        assertThat(current(part)).isEqualTo(first(part));
        change(part, "other");
        settle();
        assertThat(mount.refusal()).startsWith(part.text() + " 'other' is not there; available: ");
        assertThat(current(part)).isEqualTo(first(part));
        assertRequestsGoOn();
        comes(part, "other", 0);
        settle();
        assertThat(current(part)).isEqualTo("other");
    }

    static Stream<Arguments> midway() {
        return Stream.of(
                Arguments.of(Part.STRATEGY, "swapOrphanStrategy ext4"),
                Arguments.of(Part.JOURNAL, "swapJournal ext4"),
                Arguments.of(Part.CORE, "adopt other"),
                Arguments.of(Part.TRANSPORT, "resume other"));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("midway")
    void aServiceThatVanishesMidWayIsNotTheOneAtWorkWhenItsEndReturns(Part part, String step) throws Exception {
        fakes.all();
        Object key = offer(part, "other", -1);
        start();
        CompletableFuture<Void> gone = new CompletableFuture<>();
        fakes.at(step, () -> {
            works(step);
            fakes.parts.of(part).remove(key); // as unbind does, before it waits
            later(() -> mount.partGoes(part, key)).thenAccept(gone::complete);
        });
        List<String> done = new ArrayList<>();
        done.add(mount.replace(part, "other").to());
        gone.join();
        assertThat(done).containsExactly("other");
        assertThat(mount.refusal()).isNotNull(); // it was asked for by name
        assertThat(current(part)).isNull();
        comes(part, "other", 0);
        settle();
        assertRequestsGoOn();
    }

    /** Nobody is named, so another takes its place at once, and nothing is declared missing in between. */
    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("midway")
    void inThePlaceOfOneThatVanishesMidWayTheOneBeforeGoesOn(Part part, String step) {
        fakes.all();
        start();
        CompletableFuture<Void> gone = new CompletableFuture<>();
        fakes.at(step, () -> {
            works(step);
            Object key = keyOf(part, "other");
            fakes.parts.of(part).remove(key);
            later(() -> mount.partGoes(part, key)).thenAccept(gone::complete);
        });
        comes(part, "other", 100);
        settle();
        gone.join();
        assertThat(current(part)).isEqualTo(first(part));
        assertThat(counts(part)).startsWith("2 replaced, 0 refused, 0 missing");
        assertRequestsGoOn();
    }

    @Test
    void whatItCameFromIsToldToo() {
        fakes.all();
        start();
        fails("swapJournal ext4", new DeviceException("aborted", new DeviceException("/img: input/output error")));
        offer(Part.JOURNAL, "other", -1);
        assertThatThrownBy(() -> mount.replace(Part.JOURNAL, "other"))
                .hasMessage("journal 'other' refused: aborted: /img: input/output error");
    }

    @Test
    void anAbortedJournalIsToldAtTheUnmount() {
        fakes.all();
        start();
        fakes.journalState = "aborted: /img: input/output error";
        assertThatThrownBy(mount::unmount)
                .isInstanceOf(MountException.class)
                .hasMessageContaining("could not be left clean")
                .hasMessageEndingWith("/img: input/output error");
        assertThat(mount.state()).isEqualTo(Mount.State.FAILED);
        assertThat(fakes.log).endsWith("close core", "close device");
    }

    @Test
    void aMountWithAJournalIsNeverSwitchedToNone() {
        fakes.all();
        start();
        assertThatThrownBy(() -> mount.replace(Part.JOURNAL, "none"))
                .hasMessage("journal 'none' refused: it keeps no log, and a mounted filesystem is never switched from a"
                        + " journal to none");
        goes(Part.JOURNAL, keyOf(Part.JOURNAL, "jbd2"));
        assertThat(current(Part.JOURNAL)).isNull(); // nor does it stand in
        assertThat(fakes.log).containsExactly("detach journal");
    }

    @Test
    void aTransportThatCannotGoOnWithTheConnectionIsAskedOnce() {
        fakes.all();
        start();
        fails("resume fuse-uring", new UnsupportedOperationException("a ring does not begin on a used connection"));
        comes(Part.TRANSPORT, "fuse-uring", 100);
        settle();
        assertThat(current(Part.TRANSPORT)).isEqualTo("fuse");
        assertThat(fakes.log).containsExactly("suspend fuse", "resume fuse fuse");
        assertThat(mount.refusal()).isNull(); // nobody asked for it
        assertThatThrownBy(() -> mount.replace(Part.TRANSPORT, "fuse-uring"))
                .hasMessage("transport 'fuse-uring' refused: a ring does not begin on a used connection");
        assertThat(fakes.log).hasSize(2);
    }
}
