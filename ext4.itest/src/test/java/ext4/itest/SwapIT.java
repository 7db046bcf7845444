// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import ext4.api.orphan.OrphanStrategy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.ConfigurationPlugin;

/** The orphan strategy of a busy mount is switched through each way in, and not one call fails. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class SwapIT extends MountCase {
    private static final List<String> BOTH = List.of("global", "sharded");

    @Test
    public void byTheCommand() throws Exception {
        try (Busy busy = busy()) {
            for (int i = 0; i < 5; i++) {
                for (String to : BOTH) {
                    String from = current();
                    var report = mount.strategy(to);
                    assertThat(report.from()).isEqualTo(from);
                    assertThat(report.to()).isEqualTo(to).isEqualTo(current());
                    busy.awaitRounds(ROUNDS);
                }
            }
        }
        assertThat(mount.switches()).hasSize(10);
        assertCarried();
        assertThat(configuration.getProperties().get(Mount.STRATEGY)).isEqualTo("sharded");
    }

    @Test
    public void byConfiguration() throws Exception {
        try (Busy busy = busy()) {
            for (int i = 0; i < 3; i++) {
                for (String to : BOTH) {
                    name(to);
                    awaitCurrent(to);
                    busy.awaitRounds(ROUNDS);
                }
            }
        }
        assertThat(switches()).hasSize(6).startsWith("sharded>global", "global>sharded");
        assertCarried();
    }

    /**
     * Declarative Services may read a configuration just before it is changed again and then take the second change for
     * known: it is not to be lost. The plugin is asked while they read, so there the change comes at that very moment.
     */
    @Test
    public void byTheSecondOfTwoConfigurationsWhileTheFirstIsRead() throws Exception {
        AtomicBoolean first = new AtomicBoolean(true);
        ConfigurationPlugin second = (reference, properties) -> {
            if ("global".equals(properties.get(Mount.STRATEGY)) && first.getAndSet(false)) {
                try {
                    name("sharded");
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        ServiceRegistration<ConfigurationPlugin> plugin =
                context.registerService(ConfigurationPlugin.class, second, null);
        try (Busy busy = busy()) {
            name("global");
            await("the second change", () -> !first.get());
            awaitStatus("orphan strategy named", "sharded");
            awaitCurrent("sharded");
            busy.awaitRounds(ROUNDS);
        } finally {
            plugin.unregister();
        }
    }

    @Test
    public void byRanking() throws Exception {
        ServiceReference<OrphanStrategy> global = reference("global");
        OrphanStrategy service = context.getService(global);
        try (Busy busy = busy()) {
            for (int i = 0; i < 3; i++) {
                ServiceRegistration<OrphanStrategy> better = register("better", 100, service);
                awaitCurrent("better");
                busy.awaitRounds(ROUNDS);
                unregister(better);
                assertThat(current()).isEqualTo("sharded"); // as soon as unregister returns
                busy.awaitRounds(ROUNDS);
            }
        }
        context.ungetService(global);
        assertThat(switches()).hasSize(6).startsWith("sharded>better", "better>sharded");
        assertCarried();
    }

    @Test
    public void byTheStopOfItsBundle() throws Exception {
        Bundle sharded = bundle("sharded");
        try (Busy busy = busy()) {
            for (int i = 0; i < 3; i++) {
                sharded.stop();
                assertThat(current()).isEqualTo("global");
                busy.awaitRounds(ROUNDS);
                sharded.start();
                awaitCurrent("sharded");
                busy.awaitRounds(ROUNDS);
            }
        }
        assertThat(switches()).hasSize(6).startsWith("sharded>global", "global>sharded");
        assertCarried();
    }

    /** The other one stands in from stop to start. */
    @Test
    public void byTheUpdateOfItsBundle() throws Exception {
        Bundle sharded = bundle("sharded");
        try (Busy busy = busy()) {
            for (int i = 0; i < 3; i++) {
                ClassLoaders.Watched old = watch("sharded");
                update(sharded);
                awaitCurrent("sharded");
                busy.awaitRounds(ROUNDS);
                old.assertCollected();
            }
        }
        assertThat(switches()).hasSize(6).startsWith("sharded>global", "global>sharded");
        assertCarried();
    }

    /** A named one is waited for from stop to start. */
    @Test
    public void byTheUpdateOfTheNamedOne() throws Exception {
        try (Busy busy = busy()) {
            for (String name : BOTH) {
                name(name);
                awaitCurrent(name);
                busy.awaitRounds(ROUNDS);
                ClassLoaders.Watched old = watch(name);
                update(bundle(name));
                awaitCurrent(name);
                busy.awaitRounds(ROUNDS);
                old.assertCollected();
            }
        }
        assertThat(switches())
                .containsExactly(
                        "sharded>global",
                        "global>none",
                        "none>global",
                        "global>sharded",
                        "sharded>none",
                        "none>sharded");
        assertCarried();
    }

    @Test
    public void byUninstallAndInstall() throws Exception {
        try (Busy busy = busy()) {
            for (int i = 0; i < 2; i++) {
                ClassLoaders.Watched old = watch("sharded");
                bundle("sharded").uninstall();
                assertThat(current()).isEqualTo("global");
                busy.awaitRounds(ROUNDS);
                install("sharded").start();
                awaitCurrent("sharded");
                busy.awaitRounds(ROUNDS);
                old.assertCollected();
            }
        }
        assertThat(switches()).hasSize(4).startsWith("sharded>global", "global>sharded");
        assertCarried();
    }

    @Test
    public void byUninstallAndInstallOfTheNamedOne() throws Exception {
        try (Busy busy = busy()) {
            for (String name : BOTH) {
                name(name);
                awaitCurrent(name);
                busy.awaitRounds(ROUNDS);
                ClassLoaders.Watched old = watch(name);
                bundle(name).uninstall();
                assertThat(current()).isNull();
                awaitWaiting();
                old.assertCollected(); // with requests waiting
                install(name).start();
                awaitCurrent(name);
                busy.awaitRounds(ROUNDS);
            }
        }
        assertThat(switches()).contains("global>none", "none>global", "sharded>none", "none>sharded");
        assertCarried();
    }

    /** Four operators who know nothing of each other. */
    @Test
    public void byAllWaysAtOnce() throws Exception {
        ServiceReference<OrphanStrategy> global = reference("global");
        OrphanStrategy service = context.getService(global);
        Bundle sharded = bundle("sharded");
        try (Busy busy = busy();
                Busy operators = Busy.start(4, operator -> {
                    switch (operator) {
                        case 0 -> command();
                        case 1 -> configureAnyhow();
                        case 2 -> goAndCome(sharded);
                        default -> unregister(register("better", 100, service));
                    }
                })) {
            awaitSwitches(40);
            operators.awaitRounds(ROUNDS);
            busy.awaitRounds(ROUNDS);
        }
        name("global");
        awaitCurrent("global");
        context.ungetService(global);
        assertCarried();
    }

    private void command() {
        for (String name : BOTH) {
            try {
                mount.strategy(name);
            } catch (MountException e) {
                assertThat(e).hasMessageStartingWith("unknown orphan strategy 'sharded'"); // its bundle is stopped
            }
        }
    }

    private void configureAnyhow() throws Exception {
        configure(Map.of());
        for (String name : BOTH) {
            name(name);
            configure(Map.of(Mount.STRATEGY, name, Mount.FALLBACK, "global"));
        }
    }

    private void goAndCome(Bundle bundle) throws Exception {
        bundle.stop();
        bundle.start();
        update(bundle);
    }
}
