// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static ext4.itest.Options.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.ops4j.pax.exam.CoreOptions.options;

import ext4.api.block.BlockDevice;
import ext4.api.block.BlockDeviceProvider;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.CoreProvider;
import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import ext4.api.fs.MountOptions;
import ext4.api.fs.PinnedInodes;
import ext4.api.fs.SwapReport.Part;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.api.journal.JournalRecovery;
import ext4.api.mount.Mount;
import ext4.api.mount.MountEvents;
import ext4.api.mount.MountException;
import ext4.api.orphan.OrphanStrategy;
import ext4.itest.thirdparty.Fault;
import ext4.itest.thirdparty.FaultyBundle;
import ext4.itest.thirdparty.UnresolvedBundle;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.event.EventConstants;
import org.osgi.service.event.EventHandler;

/**
 * What wants to be a part of a busy mount and can't: a row a part and a way to fail. The part before goes on, the reason is
 * told, no call fails, and nothing of who failed is kept.
 */
@RunWith(FuseRunner.class)
@ExamReactorStrategy(PerClass.class)
public class SwapFaultsIT extends FuseCase {
    /** Rounds of the load between two attempts. */
    private static final int FEW = 8;

    private static final Map<Part, String> KEYS = Map.of(
            Part.STRATEGY, Mount.STRATEGY,
            Part.JOURNAL, Mount.JOURNAL,
            Part.CORE, Mount.CORE,
            Part.TRANSPORT, Mount.TRANSPORT);

    private PlayedDevices devices;
    private ServiceRegistration<BlockDeviceProvider> opened;

    @Override
    @org.ops4j.pax.exam.Configuration
    public Option[] parts() {
        return options(composite(super.parts()), events());
    }

    @Override
    Map<String, String> door() {
        Map<String, String> door = new HashMap<>(super.door());
        door.put(Mount.IMAGE, PlayedDevices.SCHEME + image());
        return door;
    }

    @Before
    @Override
    public void mountIt() throws Exception {
        ServiceReference<BlockDeviceProvider> files = context.getServiceReference(BlockDeviceProvider.class);
        devices = new PlayedDevices(context.getService(files));
        opened = context.registerService(BlockDeviceProvider.class, devices, null);
        super.mountIt();
    }

    @After
    @Override
    public void unmountAndJudge() throws Exception {
        try {
            super.unmountAndJudge();
        } finally {
            opened.unregister();
        }
    }

    @Test
    public void aStrategyAJournalOrACoreThatFails() throws Exception {
        try (Busy busy = busy()) {
            eachFaultOf(List.of(Part.STRATEGY, Part.JOURNAL, Part.CORE), busy);
        }
        assertCarried();
    }

    @Test
    public void aTransportThatFails() throws Exception {
        try (Children children = new Children(mountpoint);
                Busy busy = Busy.start(WORKERS, children::round)) {
            eachFaultOf(List.of(Part.TRANSPORT), busy);
        }
    }

    private void eachFaultOf(List<Part> parts, Busy busy) throws Exception {
        Set<String> told = ConcurrentHashMap.newKeySet();
        EventHandler handler = event -> told.add((String) event.getProperty(MountEvents.REASON));
        ServiceRegistration<EventHandler> listener = context.registerService(
                EventHandler.class, handler, new Hashtable<>(Map.of(EventConstants.EVENT_TOPIC, MountEvents.REFUSED)));
        Bundle faulty = context.installBundle("thirdparty", FaultyBundle.jar());
        faulty.start();
        ClassLoaders.Watched loader = ClassLoaders.of(faulty);
        try {
            Map<Part, String> before = new EnumMap<>(Part.class);
            parts.forEach(part -> before.put(part, current(part)));
            for (Part part : parts) {
                for (Fault fault : Fault.values()) {
                    assertRefused(part, fault, told);
                    busy.awaitRounds(FEW);
                }
                byConfiguration(part);
                busy.awaitRounds(FEW);
                assertThat(current(part)).isEqualTo(before.get(part));
                assertThat(switches(part)).isEmpty();
                assertThat(mount.status().get("part " + part.text()))
                        .contains("0 replaced, " + (Fault.values().length + 1) + " refused, 0 missing");
                assertThat(mount.replace(part, null).to()).isEqualTo(before.get(part)); // the next one succeeds
                busy.awaitRounds(FEW);
            }
        } finally {
            faulty.uninstall();
            listener.unregister();
        }
        loader.assertCollected(); // while the one at work goes on
        busy.awaitRounds(FEW);
    }

    private void assertRefused(Part part, Fault fault, Set<String> told) {
        assertThatThrownBy(() -> mount.replace(part, fault.text()))
                .isInstanceOf(MountException.class)
                .hasMessageStartingWith(part.text() + " '" + fault.text() + "' refused: ")
                .hasMessageContaining(fault.reason)
                .satisfies(
                        refused -> await("event: " + refused.getMessage(), () -> told.contains(refused.getMessage())));
    }

    /** Another name in the configuration asks for it as well, and status says why it is not at work. */
    private void byConfiguration(Part part) throws Exception {
        String trouble = "part " + part.text() + " trouble";
        configure(Map.of(KEYS.get(part), Fault.THROWS.text()));
        awaitStatus(trouble, "'" + Fault.THROWS.text() + "' refused: " + Fault.THROWS.reason);
        configure(Map.of());
        await("no trouble", () -> mount.status().get(trouble) == null);
    }

    @Test
    public void aStrategyAJournalOrACoreThatVanishesWhileItTakesOver() throws Exception {
        try (Busy busy = busy()) {
            for (Part part : List.of(Part.STRATEGY, Part.JOURNAL, Part.CORE)) {
                vanishes(part, busy);
            }
        }
        assertCarried();
    }

    @Test
    public void aTransportThatVanishesWhileItTakesOver() throws Exception {
        try (Children children = new Children(mountpoint);
                Busy busy = Busy.start(WORKERS, children::round)) {
            vanishes(Part.TRANSPORT, busy);
        }
    }

    /** It ranks first, so it is taken at once; when its end has returned, the one before is at work again. */
    private void vanishes(Part part, Busy busy) throws Exception {
        String before = current(part);
        Vanishing service = new Vanishing(context, mount, part, before);
        try {
            service.begin();
            service.awaitEnd();
            assertThat(current(part)).isEqualTo(before);
            assertThat(switches(part)).containsExactly(before + ">" + Vanishing.NAME, Vanishing.NAME + ">" + before);
            busy.awaitRounds(FEW);
        } finally {
            service.close();
        }
    }

    /** One more bundle, of which nothing can be used. */
    @Test
    public void aBundleThatDoesNotResolveIsNoChoice() throws Exception {
        Bundle unresolved = context.installBundle("thirdparty", UnresolvedBundle.jar("thirdparty.unresolved"));
        try (Busy busy = busy()) {
            assertThatThrownBy(unresolved::start)
                    .isInstanceOf(BundleException.class)
                    .hasMessageContaining(UnresolvedBundle.MISSING);
            for (Part part : Part.values()) {
                assertThatThrownBy(() -> mount.replace(part, "unresolved"))
                        .isInstanceOf(MountException.class)
                        .hasMessageStartingWith("unknown " + part.text() + " 'unresolved'; available: ")
                        .hasMessageContaining(current(part));
                busy.awaitRounds(FEW);
            }
            assertThat(mount.switches()).isEmpty();
        } finally {
            unresolved.uninstall();
        }
    }

    /** Without another the part is waited for; {@link PartSwapIT} does it with journal and core. */
    @Test
    public void aStrategyWhoseUpdateDoesNotResolve() throws Exception {
        mount.strategy("sharded");
        try (Busy busy = busy()) {
            updateDoesNotResolve(Part.STRATEGY, "ext4.orphan.impl-sharded", busy);
        }
        assertCarried();
    }

    @Test
    public void aTransportWhoseUpdateDoesNotResolve() throws Exception {
        try (Children children = new Children(mountpoint);
                Busy busy = Busy.start(WORKERS, children::round)) {
            updateDoesNotResolve(Part.TRANSPORT, "ext4.fuse", busy);
        }
    }

    private void updateDoesNotResolve(Part part, String module, Busy busy) throws Exception {
        String name = current(part);
        Bundle bundle = module(module);
        ClassLoaders.Watched old = ClassLoaders.of(bundle);
        try {
            bundle.update(UnresolvedBundle.jar(module));
        } catch (BundleException e) {
            assertThat(e).hasMessageContaining(UnresolvedBundle.MISSING); // one framework throws, one tells listeners
        }
        assertThat(bundle.getState()).isEqualTo(Bundle.INSTALLED);
        assertThat(current(part)).isNull();
        assertThat(mount.status().get("part " + part.text() + " remedy")).contains(module, "which is not resolved");
        old.assertCollected(); // with requests waiting
        update(bundle);
        bundle.start();
        awaitCurrent(part, name);
        busy.awaitRounds(FEW);
    }

    /** Requests are not cut: of those that last longer than its limit each kind of replacement says so, and they go on. */
    @Test
    public void aRequestThatOutlastsTheLimit() throws Exception {
        FileSystem fs = mount.fileSystem();
        SyncedFile file = new SyncedFile(fs, "slow");
        devices.keepOneReadWaiting();
        CompletableFuture<Void> verb = CompletableFuture.runAsync(file::check, Thread::startVirtualThread);
        devices.awaitReader();
        assertThatThrownBy(() -> mount.replace(Part.CORE, null))
                .hasMessage("core 'ext4' refused: a request runs for longer than 1500 ms");
        devices.keepOneReadWaiting();
        try (Child program = new Child(mountpoint, 0, "cksum < \"$M/slow\"; echo read")) {
            devices.awaitReader();
            String transport = current(Part.TRANSPORT);
            assertThatThrownBy(() -> mount.replace(Part.TRANSPORT, null))
                    .hasMessageStartingWith("transport '" + transport + "' refused: ")
                    .hasMessageContaining("a request takes longer than ");
            assertThat(verb).isNotDone();
            devices.letGo();
            verb.join();
            assertThat(program.line()).isEqualTo(file.cksum());
            assertThat(program.line()).isEqualTo("read");
        }
        for (Part part : Part.values()) {
            assertThat(mount.replace(part, null).to()).isEqualTo(current(part));
        }
        file.check();
        file.forget();
    }

    /** A core that does not come to an end of its take-over loses the device, and only then does the one before go on. */
    @Test
    public void aCoreThatOutlastsTheLimit() throws Exception {
        ServiceReference<CoreProvider> ext4 = context.getServiceReference(CoreProvider.class);
        CoreProvider real = context.getService(ext4);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Throwable> late = new CompletableFuture<>();
        ServiceRegistration<CoreProvider> slow = core("slow", real, takeOver -> {
            MountCase.await("the end", () -> end.getCount() == 0);
            try {
                return takeOver.get();
            } catch (DeviceException e) {
                late.complete(e);
                throw e;
            }
        });
        try (Busy busy = busy()) {
            assertThatThrownBy(() -> mount.replace(Part.CORE, "slow"))
                    .hasMessage("core 'slow' refused: it takes longer than 10000 ms to take over");
            assertThat(current(Part.CORE)).isEqualTo("ext4");
            busy.awaitRounds(ROUNDS);
            end.countDown();
            assertThat(late.join()).hasMessageEndingWith(": another core has taken it over");
            busy.awaitRounds(ROUNDS);
        } finally {
            slow.unregister();
            context.ungetService(ext4);
        }
        assertCarriedSince("ext4");
    }

    private void assertCarriedSince(String core) throws MountException {
        assertThat(mount.replace(Part.CORE, null).to()).isEqualTo(core);
        assertCarried();
    }

    /** What the new one meets when it looks at the device: the one before goes on with all that it had. */
    @Test
    public void aDeviceThatFailsTheOneThatTakesOver() throws Exception {
        ServiceReference<CoreProvider> ext4 = context.getServiceReference(CoreProvider.class);
        CoreProvider real = context.getService(ext4);
        ServiceReference<JournalProvider> jbd2 = context.getServiceReferences(
                        JournalProvider.class, "(" + JournalProvider.NAME + "=jbd2)")
                .iterator()
                .next();
        JournalProvider log = context.getService(jbd2);
        ServiceRegistration<CoreProvider> core = core("unlucky", real, this::withoutReads);
        ServiceRegistration<JournalProvider> journal = journal("unlucky", log);
        try (Busy busy = busy()) {
            for (Part part : List.of(Part.CORE, Part.JOURNAL)) {
                assertThatThrownBy(() -> mount.replace(part, "unlucky"))
                        .hasMessageStartingWith(part.text() + " 'unlucky' refused: ")
                        .hasMessageContaining("planned failure of a read");
                busy.awaitRounds(ROUNDS);
                assertThat(mount.replace(part, null).to()).isEqualTo(current(part));
                busy.awaitRounds(ROUNDS);
            }
        } finally {
            core.unregister();
            journal.unregister();
            context.ungetService(ext4);
            context.ungetService(jbd2);
        }
        assertCarried();
    }

    private <T> T withoutReads(Supplier<T> takeOver) {
        devices.failReads(true);
        try {
            return takeOver.get();
        } finally {
            devices.failReads(false);
        }
    }

    @Test
    public void aDeviceThatFailsTheLastCommitOfAJournal() throws Exception {
        aDeviceThatFailsTheLastCommit(Part.JOURNAL);
    }

    @Test
    public void aDeviceThatFailsTheLastCommitOfACore() throws Exception {
        aDeviceThatFailsTheLastCommit(Part.CORE);
    }

    /** Then the journal aborts, as at any commit: the part before goes on for reading, and what was synced is there. */
    private void aDeviceThatFailsTheLastCommit(Part part) throws Exception {
        FileSystem fs = mount.fileSystem();
        SyncedFile synced = new SyncedFile(fs, "synced");
        SyncedFile.make(fs, "loose"); // something to commit
        devices.failWrites(true);
        assertThatThrownBy(() -> mount.replace(part, null))
                .isInstanceOf(MountException.class)
                .hasMessageStartingWith(part.text() + " '" + current(part) + "' refused: ")
                .hasMessageContaining("the journal aborted")
                .hasMessageEndingWith("planned failure of a write");
        devices.failWrites(false);
        assertThat(mount.status().get("journal")).startsWith("aborted: ").contains("planned failure of a write");
        synced.check();
        assertThatThrownBy(() -> SyncedFile.make(fs, "more")).isEqualTo(ErrnoException.of(Errno.EROFS));
        try (Child program = new Child(mountpoint, 0, "cksum < \"$M/synced\"")) {
            assertThat(program.line()).isEqualTo(synced.cksum());
        }
        assertThatThrownBy(mount::unmount)
                .isInstanceOf(MountException.class)
                .hasMessageContaining("could not be left clean: ")
                .hasMessageContaining("planned failure of a write");
        mountAgain(); // and its log is replayed
        new SyncedFile(mount.fileSystem(), synced, "synced").check();
    }

    /** A core that takes over as the real one does, in the hands of {@code how}. */
    private ServiceRegistration<CoreProvider> core(
            String name, CoreProvider real, Function<Supplier<CoreFileSystem>, CoreFileSystem> how) {
        CoreProvider core = new CoreProvider() {
            @Override
            public CoreFileSystem mount(
                    BlockDevice device,
                    MountOptions options,
                    JournalProvider journal,
                    String strategyName,
                    OrphanStrategy strategy) {
                throw new AssertionError("it ranks low");
            }

            @Override
            public CoreFileSystem adopt(
                    BlockDevice device,
                    MountOptions options,
                    JournalProvider journal,
                    String strategyName,
                    OrphanStrategy strategy,
                    PinnedInodes pins) {
                return how.apply(() -> real.adopt(device, options, journal, strategyName, strategy, pins));
            }

            @Override
            public boolean needsJournal(BlockDevice device) {
                return real.needsJournal(device);
            }
        };
        return context.registerService(CoreProvider.class, core, low(CoreProvider.NAME, name));
    }

    /** A journal that can't read its log when it opens it. */
    private ServiceRegistration<JournalProvider> journal(String name, JournalProvider real) {
        JournalProvider journal = new JournalProvider() {
            @Override
            public boolean journals() {
                return real.journals();
            }

            @Override
            public JournalRecovery recover(JournalHost host) {
                return real.recover(host);
            }

            @Override
            public Journal open(JournalHost host, JournalOptions options) {
                return withoutReads(() -> real.open(host, options));
            }
        };
        return context.registerService(JournalProvider.class, journal, low(JournalProvider.NAME, name));
    }

    private static Hashtable<String, Object> low(String nameProperty, String name) {
        return new Hashtable<>(Map.of(nameProperty, name, Constants.SERVICE_RANKING, -100));
    }
}
