// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import static ext4.itest.Options.base;
import static ext4.itest.Options.core;
import static ext4.itest.Options.device;
import static ext4.itest.Options.journal;
import static ext4.itest.Options.mount;
import static ext4.itest.Options.strategy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.options;

import ext4.api.fs.SwapReport;
import ext4.api.mount.Mount;
import ext4.api.orphan.OrphanStrategy;
import java.io.File;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import javax.inject.Inject;
import org.junit.After;
import org.junit.Before;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.util.tracker.ServiceTracker;

/**
 * A test on a mount of its own: a new image, mounted by a configuration in Configuration Admin without a named strategy.
 * Afterwards it is unmounted, judged, and the strategies' bundles are as they were.
 */
abstract class MountCase {
    static final int WORKERS = 4;
    /** Rounds of the load before and after each switch. */
    static final int ROUNDS = 40;

    private static final long PATIENCE_MILLIS = 60_000;
    private static final long IMAGE_BYTES = 64 << 20;

    @Inject
    BundleContext context;

    @Inject
    ConfigurationAdmin configurations;

    Configuration configuration;
    Mount mount;

    private final List<ServiceRegistration<OrphanStrategy>> registered = new ArrayList<>();
    private ServiceTracker<Mount, Mount> mounts;
    private MixedLoad load;

    @org.ops4j.pax.exam.Configuration
    public Option[] parts() {
        return options(base(), device(), journal(), core(), strategy("global"), strategy("sharded"), mount());
    }

    static String image() {
        return new File(System.getProperty("java.io.tmpdir"), "swap.img").getAbsolutePath();
    }

    /** Transport and mount point. */
    Map<String, String> door() {
        return Map.of(Mount.TRANSPORT, Mount.NO_TRANSPORT, Mount.MOUNTPOINT, "/in-process");
    }

    @Before
    public void mountIt() throws Exception {
        Outside.make(image(), IMAGE_BYTES);
        mounts = new ServiceTracker<>(context, Mount.class, null);
        mounts.open();
        configureAndMount();
    }

    private void configureAndMount() throws Exception {
        configuration = configurations.createFactoryConfiguration(Mount.PID, "?");
        configure(Map.of());
        mount = mounts.waitForService(PATIENCE_MILLIS);
        assertThat(mount.settled().join()).as(mount.failure()).isEqualTo(Mount.State.MOUNTED);
        assertThat(current()).isEqualTo("sharded"); // none is named, and it ranks higher
    }

    /** Mounts anew the image of a mount that was unmounted; nothing of a load is left. */
    void mountAgain() throws Exception {
        load = null;
        await("the end of the mount before", () -> mounts.getService() == null);
        configureAndMount();
    }

    @After
    public void unmountAndJudge() throws Exception {
        if (mount == null) {
            return; // it never came up, and says so itself
        }
        registered.forEach(ServiceRegistration::unregister);
        restoreBundles();
        if (mount.state() == Mount.State.MOUNTED) {
            if (load != null) {
                load.end();
            }
            mount.unmount();
        } else if (mount.state() == Mount.State.FAILED) {
            configuration.delete();
        }
        mounts.close();
        assertThat(mount.state()).as(mount.failure()).isEqualTo(Mount.State.UNMOUNTED);
        assertThat(Outside.judge(image())).isEmpty();
    }

    private void restoreBundles() throws BundleException {
        for (String module : modules()) {
            Bundle bundle = find(module);
            (bundle == null ? installModule(module) : bundle).start();
        }
    }

    /** What a test may stop or uninstall. */
    List<String> modules() {
        return List.of("ext4.orphan.impl-global", "ext4.orphan.impl-sharded", "ext4.journal", "ext4.core");
    }

    private Bundle find(String module) {
        return Arrays.stream(context.getBundles())
                .filter(installed -> module.equals(installed.getSymbolicName()))
                .findFirst()
                .orElse(null);
    }

    /** The installed bundle of a module. */
    Bundle module(String module) {
        Bundle found = find(module);
        assertThat(found).as(module).isNotNull();
        return found;
    }

    Bundle installModule(String module) throws BundleException {
        return context.installBundle(Options.url(module));
    }

    String current(SwapReport.Part part) {
        return mount.choice(part).current();
    }

    void awaitCurrent(SwapReport.Part part, String name) {
        await(part.text() + " " + name, () -> name.equals(current(part)));
    }

    /** The replacements of a part so far, as {@code from>to}. */
    List<String> switches(SwapReport.Part part) {
        return mount.switches().stream()
                .filter(report -> report.part() == part)
                .map(report -> report.from() + ">" + report.to())
                .toList();
    }

    /** Writes the configuration: the mount's own properties and {@code more}. */
    void configure(Map<String, ?> more) throws Exception {
        Hashtable<String, Object> properties = new Hashtable<>(door());
        properties.putIfAbsent(Mount.IMAGE, image());
        properties.putAll(more);
        configuration.update(properties);
    }

    void name(String strategy) throws Exception {
        configure(Map.of(Mount.STRATEGY, strategy));
    }

    /** The mixed load on the mount's verbs; what it left is judged when the test has ended. */
    Busy busy() throws InterruptedException {
        load = new MixedLoad(mount.fileSystem(), WORKERS);
        return Busy.start(WORKERS, load);
    }

    String current() {
        return mount.strategies().current();
    }

    void awaitCurrent(String name) {
        await("strategy " + name, () -> name.equals(current()));
    }

    void awaitStatus(String line, String text) {
        await(line + ": " + text, () -> mount.status().getOrDefault(line, "").contains(text));
    }

    void awaitSwitches(int count) {
        await(count + " switches", () -> mount.switches().size() >= count);
    }

    /** All workers of the load wait at the gate. */
    void awaitWaiting() {
        awaitStatus("requests waiting for a part", Integer.toString(WORKERS));
    }

    static void await(String what, BooleanSupplier there) {
        long deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
        while (!there.getAsBoolean()) {
            assertThat(System.currentTimeMillis()).as("waiting for " + what).isLessThan(deadline);
            Thread.yield();
        }
    }

    /** Returns when the mount has seen every service and configuration that came or went before. */
    void settle() throws Exception {
        mount.strategy(current()); // is done after what was posted before, on the same thread
    }

    /** The switches so far, as {@code from>to}. */
    List<String> switches() {
        return mount.switches().stream()
                .map(report -> report.from() + ">" + report.to())
                .toList();
    }

    /** Each switch so far took every orphan along that the load holds. */
    void assertCarried() {
        assertThat(mount.switches())
                .isNotEmpty()
                .extracting(SwapReport::orphansCarried)
                .allSatisfy(carried -> assertThat(carried).isGreaterThanOrEqualTo(MixedLoad.HELD));
    }

    /** A strategy that the test itself offers; it goes with the test. */
    ServiceRegistration<OrphanStrategy> register(String name, int ranking, OrphanStrategy strategy) {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put(OrphanStrategy.NAME, name);
        properties.put(Constants.SERVICE_RANKING, ranking);
        ServiceRegistration<OrphanStrategy> registration =
                context.registerService(OrphanStrategy.class, strategy, properties);
        registered.add(registration);
        return registration;
    }

    void unregister(ServiceRegistration<OrphanStrategy> registration) {
        registered.remove(registration);
        registration.unregister();
    }

    Bundle bundle(String strategy) throws InvalidSyntaxException {
        return reference(strategy).getBundle();
    }

    Bundle install(String strategy) throws BundleException {
        return installModule("ext4.orphan.impl-" + strategy);
    }

    void update(Bundle bundle) throws Exception {
        bundle.update(URI.create(Options.url(bundle.getSymbolicName())).toURL().openStream());
    }

    /** In a method of its own: when it has returned, no frame holds an object of the bundle. */
    ClassLoaders.Watched watch(String strategy) throws InvalidSyntaxException {
        ServiceReference<OrphanStrategy> reference = reference(strategy);
        try {
            return ClassLoaders.of(context.getService(reference));
        } finally {
            context.ungetService(reference);
        }
    }

    /** The service of that name that a bundle other than the test's offers. */
    ServiceReference<OrphanStrategy> reference(String strategy) throws InvalidSyntaxException {
        Collection<ServiceReference<OrphanStrategy>> found =
                context.getServiceReferences(OrphanStrategy.class, "(" + OrphanStrategy.NAME + "=" + strategy + ")");
        return found.stream()
                .filter(reference -> reference.getBundle() != context.getBundle())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no strategy " + strategy));
    }
}
