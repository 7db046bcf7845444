// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static ext4.itest.Options.base;
import static ext4.itest.Options.strategy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.options;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanStore;
import ext4.api.orphan.OrphanStrategy;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.List;
import javax.inject.Inject;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerMethod;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/** Both strategies are services by name that come and go with their bundles and leave nothing behind. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerMethod.class)
public class StrategyBundlesIT {
    private static final int WORKERS = 4;
    private static final int INODES = 4096;

    @Inject
    private BundleContext context;

    @Configuration
    public Option[] configuration() {
        return options(base(), strategy("global"), strategy("sharded"));
    }

    @Test
    public void eachIsAServiceByItsName() throws Exception {
        assertThat(find("global")).hasSize(1);
        assertThat(find("sharded")).hasSize(1);
        assertThat(find("nosuch")).isEmpty();
    }

    @Test
    public void theyComeAndGoWithTheirBundles() throws Exception {
        Bundle sharded = find("sharded").getFirst().getBundle();
        sharded.stop();
        assertThat(find("sharded")).isEmpty();
        assertThat(find("global")).hasSize(1);
        sharded.start();
        assertThat(find("sharded")).hasSize(1);
        sharded.update(URI.create(url(sharded)).toURL().openStream());
        assertThat(sharded.getState()).isEqualTo(Bundle.ACTIVE);
        assertThat(find("sharded")).hasSize(1);
    }

    @Test
    public void anUpdateLeavesNothingOfTheOldGlobal() throws Exception {
        anUpdateLeavesNothingOf("global");
    }

    @Test
    public void anUpdateLeavesNothingOfTheOldSharded() throws Exception {
        anUpdateLeavesNothingOf("sharded");
    }

    private void anUpdateLeavesNothingOf(String name) throws Exception {
        Bundle bundle = find(name).getFirst().getBundle();
        ClassLoaders.Watched old = useUnderLoad(name);
        bundle.update(URI.create(url(bundle)).toURL().openStream());
        assertThat(find(name)).hasSize(1);
        old.assertCollected();
    }

    /** In a method of its own: when it has returned, no frame holds an object of the bundle. */
    private ClassLoaders.Watched useUnderLoad(String name) throws Exception {
        ServiceReference<OrphanStrategy> reference = find(name).getFirst();
        OrphanStrategy strategy = context.getService(reference);
        OrphanList list = strategy.attach(memoryStore(), List.of());
        try (Busy busy = Busy.start(WORKERS, worker -> addAndRemove(list, 100 + worker))) {
            busy.awaitRounds(10_000);
        }
        assertThat(list.size()).isZero();
        list.detach();
        context.ungetService(reference);
        return ClassLoaders.of(strategy);
    }

    private static void addAndRemove(OrphanList list, int ino) {
        list.add(noHandle(), ino);
        list.remove(noHandle(), ino);
    }

    private List<ServiceReference<OrphanStrategy>> find(String name) throws InvalidSyntaxException {
        return List.copyOf(
                context.getServiceReferences(OrphanStrategy.class, "(" + OrphanStrategy.NAME + "=" + name + ")"));
    }

    private static String url(Bundle bundle) {
        return Options.url(bundle.getSymbolicName());
    }

    /** A filesystem without a journal: nothing but the number of inodes is asked of it, and nothing may be written. */
    private static OrphanStore memoryStore() {
        return (OrphanStore) Proxy.newProxyInstance(
                OrphanStore.class.getClassLoader(),
                new Class<?>[] {OrphanStore.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "persistent" -> false;
                    case "inodesCount" -> INODES;
                    case "chainHead", "link", "fileBlocks", "slotsPerBlock", "slot" -> 0;
                    default -> throw new AssertionError("written without a journal: " + method);
                });
    }

    private static Handle noHandle() {
        return null; // as the contract has it, memory alone changes where the store is not persistent
    }
}
