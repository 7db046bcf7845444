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
import static org.ops4j.pax.exam.CoreOptions.systemProperty;

import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.FileSystem;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import ext4.api.orphan.OrphanStrategy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Dictionary;
import java.util.Hashtable;
import javax.inject.Inject;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.util.tracker.ServiceTracker;

/** The orphan strategy of a busy mount is switched through each way in, and not one call fails. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class SwapIT {
    private static final int WORKERS = 4;
    private static final int ROUNDS = 400;
    private static final long PATIENCE_MILLIS = 60_000;
    private static final int ROOT = 2;
    private static final int FILE_MODE = 0x81A4; // -rw-r--r--

    @Inject
    private BundleContext context;

    @Inject
    private ConfigurationAdmin configurations;

    private Configuration configuration;
    private ServiceTracker<Mount, Mount> mounts;
    private Mount mount;

    @org.ops4j.pax.exam.Configuration
    public Option[] parts() {
        Path image = Images.make(Path.of(System.getProperty("java.io.tmpdir")), "swap.img", 64 << 20);
        return options(
                base(),
                device(),
                journal(),
                core(),
                strategy("global"),
                strategy("sharded"),
                mount(),
                systemProperty("ext4.itest.image").value(image.toString()));
    }

    @Before
    public void mountIt() throws Exception {
        mounts = new ServiceTracker<>(context, Mount.class, null);
        mounts.open();
        configuration = configurations.createFactoryConfiguration(Mount.PID, "?");
        configure(null, null);
        mount = mounts.waitForService(PATIENCE_MILLIS);
        assertThat(mount.settled().join()).as(mount.failure()).isEqualTo(Mount.State.MOUNTED);
    }

    @After
    public void unmountIt() throws MountException {
        mount.unmount();
        assertThat(mount.state()).isEqualTo(Mount.State.UNMOUNTED);
        mounts.close();
    }

    private void configure(String named, String fallback) throws Exception {
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(Mount.IMAGE, System.getProperty("ext4.itest.image"));
        properties.put(Mount.MOUNTPOINT, "/in-process");
        properties.put(Mount.TRANSPORT, Mount.NO_TRANSPORT);
        if (named != null) {
            properties.put(Mount.STRATEGY, named);
        }
        if (fallback != null) {
            properties.put(Mount.FALLBACK, fallback);
        }
        configuration.update(properties);
    }

    /** Each worker makes and removes a file of its own, and so adds and removes an orphan. */
    private Busy busy() throws InterruptedException {
        FileSystem fs = mount.fileSystem();
        return Busy.start(WORKERS, worker -> {
            byte[] name = ("busy" + worker).getBytes(StandardCharsets.US_ASCII);
            Attributes made = new Attributes();
            fs.create(Credentials.ROOT, ROOT, name, FILE_MODE, made);
            fs.unlink(Credentials.ROOT, ROOT, name);
            fs.forget(made.ino, 1);
        });
    }

    @Test
    public void byTheCommand() throws Exception {
        try (Busy busy = busy()) {
            for (int i = 0; i < 10; i++) {
                String to = i % 2 == 0 ? "global" : "sharded";
                assertThat(mount.strategy(to).to()).isEqualTo(to);
                busy.awaitRounds(ROUNDS);
            }
        }
        assertThat(configuration.getProperties().get(Mount.STRATEGY)).isEqualTo("sharded");
    }

    @Test
    public void byConfiguration() throws Exception {
        try (Busy busy = busy()) {
            configure("global", null);
            awaitCurrent("global");
            busy.awaitRounds(ROUNDS);
            configure("sharded", null);
            awaitCurrent("sharded");
            busy.awaitRounds(ROUNDS);
        }
    }

    @Test
    public void byRanking() throws Exception {
        assertThat(mount.strategies().current()).isEqualTo("sharded"); // it ranks higher
        ServiceReference<OrphanStrategy> global = reference("global");
        OrphanStrategy service = context.getService(global);
        Dictionary<String, Object> better = new Hashtable<>();
        better.put(OrphanStrategy.NAME, "better");
        better.put(Constants.SERVICE_RANKING, 100);
        try (Busy busy = busy()) {
            ServiceRegistration<OrphanStrategy> registration =
                    context.registerService(OrphanStrategy.class, service, better);
            awaitCurrent("better");
            busy.awaitRounds(ROUNDS);
            registration.unregister();
            assertThat(mount.strategies().current()).isEqualTo("sharded"); // when unregister returned
            busy.awaitRounds(ROUNDS);
        }
        context.ungetService(global);
    }

    @Test
    public void byTheStopOfItsBundle() throws Exception {
        Bundle sharded = reference("sharded").getBundle();
        try (Busy busy = busy()) {
            sharded.stop();
            assertThat(mount.strategies().current()).isEqualTo("global");
            busy.awaitRounds(ROUNDS);
            sharded.start();
            awaitCurrent("sharded");
            busy.awaitRounds(ROUNDS);
        }
    }

    @Test
    public void aNamedOneIsWaitedForWhileItsBundleIsStopped() throws Exception {
        mount.strategy("sharded");
        Bundle sharded = reference("sharded").getBundle();
        try (Busy busy = busy()) {
            sharded.stop();
            assertThat(mount.strategies().current()).isNull();
            awaitWaiting();
            Attributes root = new Attributes();
            mount.fileSystem().getattr(ROOT, root); // what needs no list goes on
            assertThat(root.ino).isEqualTo(ROOT);
            sharded.start();
            awaitCurrent("sharded");
            busy.awaitRounds(ROUNDS);
        }
    }

    @Test
    public void aFallbackTakesItsPlace() throws Exception {
        configure("sharded", "global");
        Bundle sharded = reference("sharded").getBundle();
        try (Busy busy = busy()) {
            sharded.stop();
            awaitCurrent("global");
            busy.awaitRounds(ROUNDS);
            sharded.start();
            awaitCurrent("sharded");
        }
    }

    @Test
    public void byUpdateAndNothingOfTheOldStays() throws Exception {
        mount.strategy("sharded");
        Bundle sharded = reference("sharded").getBundle();
        try (Busy busy = busy()) {
            ClassLoaders.Watched old = watch("sharded");
            sharded.update(
                    URI.create(Options.url(sharded.getSymbolicName())).toURL().openStream());
            awaitCurrent("sharded");
            busy.awaitRounds(ROUNDS);
            old.assertCollected();
        }
    }

    @Test
    public void byUninstallAndInstall() throws Exception {
        Bundle sharded = reference("sharded").getBundle();
        try (Busy busy = busy()) {
            ClassLoaders.Watched old = watch("sharded");
            sharded.uninstall();
            assertThat(mount.strategies().current()).isEqualTo("global");
            busy.awaitRounds(ROUNDS);
            context.installBundle(Options.url(sharded.getSymbolicName())).start();
            awaitCurrent("sharded");
            busy.awaitRounds(ROUNDS);
            old.assertCollected();
        }
    }

    /** In a method of its own: when it has returned, no frame holds an object of the bundle. */
    private ClassLoaders.Watched watch(String name) throws Exception {
        ServiceReference<OrphanStrategy> reference = reference(name);
        ClassLoaders.Watched watched = ClassLoaders.of(context.getService(reference));
        context.ungetService(reference);
        return watched;
    }

    private ServiceReference<OrphanStrategy> reference(String name) throws Exception {
        return context.getServiceReferences(OrphanStrategy.class, "(" + OrphanStrategy.NAME + "=" + name + ")")
                .iterator()
                .next();
    }

    private void awaitCurrent(String name) {
        long deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
        while (!name.equals(mount.strategies().current())) {
            assertThat(System.currentTimeMillis()).as("waiting for " + name).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private void awaitWaiting() {
        long deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
        while (!Integer.toString(WORKERS).equals(mount.status().get("requests waiting for a part"))) {
            assertThat(System.currentTimeMillis()).as("waiting at the gate").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
