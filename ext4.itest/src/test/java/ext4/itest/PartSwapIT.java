// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static ext4.itest.Options.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.ops4j.pax.exam.CoreOptions.options;

import ext4.api.fs.Attributes;
import ext4.api.fs.SwapReport;
import ext4.api.fs.SwapReport.Part;
import ext4.api.mount.MountEvents;
import ext4.itest.thirdparty.UnresolvedBundle;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.event.Event;
import org.osgi.service.event.EventConstants;
import org.osgi.service.event.EventHandler;

/** Journal and core of a busy mount are replaced, updated and missed, and not one call fails. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class PartSwapIT extends MountCase {
    private static final int TIMES = 3;
    private static final int ROOT = 2;
    private static final Map<Part, String> MODULES = Map.of(Part.JOURNAL, "ext4.journal", Part.CORE, "ext4.core");
    private static final Map<Part, String> NAMES = Map.of(Part.JOURNAL, "jbd2", Part.CORE, "ext4");

    @Override
    @org.ops4j.pax.exam.Configuration
    public Option[] parts() {
        return options(composite(super.parts()), events());
    }

    @Test
    public void eachPartIsRenewedOnDemand() throws Exception {
        try (Busy busy = busy()) {
            for (int i = 0; i < TIMES; i++) {
                for (Part part : List.of(Part.CORE, Part.JOURNAL, Part.STRATEGY)) {
                    SwapReport report = mount.replace(part, null);
                    assertThat(report.part()).isEqualTo(part);
                    assertThat(report.to()).isEqualTo(current(part));
                    assertThat(report.orphansCarried()).isGreaterThanOrEqualTo(MixedLoad.HELD);
                    busy.awaitRounds(ROUNDS);
                }
            }
        }
        assertThat(mount.switches()).hasSize(3 * TIMES);
        assertThat(mount.status().get("part core")).contains(TIMES + " replaced, 0 refused, 0 missing, pause last ");
    }

    @Test
    public void theJournalByTheUpdateOfItsBundle() throws Exception {
        byTheUpdateOfItsBundle(Part.JOURNAL);
    }

    @Test
    public void theCoreByTheUpdateOfItsBundle() throws Exception {
        byTheUpdateOfItsBundle(Part.CORE);
    }

    private void byTheUpdateOfItsBundle(Part part) throws Exception {
        Bundle bundle = module(MODULES.get(part));
        String name = NAMES.get(part);
        try (Busy busy = busy()) {
            for (int i = 0; i < TIMES; i++) {
                ClassLoaders.Watched old = ClassLoaders.of(bundle);
                update(bundle);
                awaitCurrent(part, name);
                busy.awaitRounds(ROUNDS);
                old.assertCollected();
            }
        }
        assertThat(switches(part)).hasSize(2 * TIMES).containsOnly(name + ">none", "none>" + name);
    }

    @Test
    public void theJournalIsUninstalledAndInstalledWhileRequestsWait() throws Exception {
        uninstalledAndInstalled(Part.JOURNAL, () -> mount.fileSystem().getattr(ROOT, new Attributes())); // reads go on
    }

    @Test
    public void theCoreIsUninstalledAndInstalledWhileRequestsWait() throws Exception {
        uninstalledAndInstalled(Part.CORE, () -> {});
    }

    private void uninstalledAndInstalled(Part part, Runnable goesOn) throws Exception {
        try (Busy busy = busy()) {
            ClassLoaders.Watched old = ClassLoaders.of(module(MODULES.get(part)));
            module(MODULES.get(part)).uninstall();
            assertThat(current(part)).isNull(); // as soon as it returns
            awaitWaiting();
            goesOn.run();
            assertThat(mount.status().get("part " + part.text() + " remedy"))
                    .contains(MODULES.get(part), "which is uninstalled");
            old.assertCollected(); // with requests waiting
            installModule(MODULES.get(part)).start();
            awaitCurrent(part, NAMES.get(part));
            busy.awaitRounds(ROUNDS);
        }
    }

    /** All parts at once, as a refresh does: in whatever order they come. */
    @Test
    public void allAreStoppedAndStarted() throws Exception {
        List<Bundle> bundles = modules().stream().map(this::module).toList();
        try (Busy busy = busy()) {
            for (int i = 0; i < TIMES; i++) {
                for (Bundle bundle : i % 2 == 0 ? bundles : bundles.reversed()) {
                    bundle.stop();
                }
                awaitWaiting();
                for (Bundle bundle : bundles) {
                    bundle.start();
                }
                busy.awaitRounds(ROUNDS);
            }
        }
    }

    @Test
    public void aJournalThatDoesNotResolveIsWaitedFor() throws Exception {
        aPartThatDoesNotResolve(Part.JOURNAL);
    }

    @Test
    public void aCoreThatDoesNotResolveIsWaitedFor() throws Exception {
        aPartThatDoesNotResolve(Part.CORE);
    }

    private void aPartThatDoesNotResolve(Part part) throws Exception {
        Bundle bundle = module(MODULES.get(part));
        try (Busy busy = busy()) {
            try {
                bundle.update(UnresolvedBundle.jar(MODULES.get(part)));
            } catch (BundleException e) {
                assertThat(e)
                        .hasMessageContaining(UnresolvedBundle.MISSING); // one framework throws, one tells listeners
            }
            assertThat(bundle.getState()).isEqualTo(Bundle.INSTALLED);
            assertThat(current(part)).isNull();
            awaitWaiting();
            assertThat(mount.status().get("part " + part.text() + " remedy"))
                    .contains(MODULES.get(part), "which is not resolved");
            assertThatThrownBy(() -> mount.replace(part, NAMES.get(part)))
                    .hasMessageStartingWith("unknown " + part.text() + " '" + NAMES.get(part) + "'");
            update(bundle);
            bundle.start();
            awaitCurrent(part, NAMES.get(part));
            busy.awaitRounds(ROUNDS);
        }
    }

    @Test
    public void eventAdminHearsOfIt() throws Exception {
        List<Event> heard = new CopyOnWriteArrayList<>();
        Hashtable<String, Object> topics = new Hashtable<>(Map.of(EventConstants.EVENT_TOPIC, "ext4/mount/*"));
        ServiceRegistration<EventHandler> handler = context.registerService(EventHandler.class, heard::add, topics);
        try {
            mount.replace(Part.CORE, null);
            await("replaced", () -> !heard.isEmpty());
            Event replaced = heard.getFirst();
            assertThat(replaced.getTopic()).isEqualTo(MountEvents.REPLACED);
            assertThat(replaced.getProperty(MountEvents.PART)).isEqualTo("core");
            assertThat(replaced.getProperty(MountEvents.FROM)).isEqualTo("ext4");
            assertThat(replaced.getProperty(MountEvents.TO)).isEqualTo("ext4");
            assertThat(replaced.getProperty(MountEvents.MOUNTPOINT)).isEqualTo(mount.mountpoint());
            assertThat((Long) replaced.getProperty(MountEvents.PAUSE)).isPositive();
            Bundle journal = module("ext4.journal");
            journal.stop();
            await("missing", () -> heard.size() >= 2);
            assertThat(heard.get(1).getTopic()).isEqualTo(MountEvents.MISSING);
            assertThat(heard.get(1).getProperty(MountEvents.REASON).toString()).contains("ext4.journal");
            assertThatThrownBy(() -> mount.replace(Part.CORE, null)).hasMessageContaining("the journal is missing");
            await("refused", () -> heard.size() >= 3);
            assertThat(heard.get(2).getTopic()).isEqualTo(MountEvents.REFUSED);
            journal.start();
            await("back", () -> heard.size() >= 4);
            assertThat(heard.get(3).getTopic()).isEqualTo(MountEvents.REPLACED);
        } finally {
            handler.unregister();
        }
    }
}
