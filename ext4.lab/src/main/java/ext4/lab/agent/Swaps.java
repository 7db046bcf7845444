// SPDX-License-Identifier: Apache-2.0
package ext4.lab.agent;

import ext4.api.fs.CoreProvider;
import ext4.api.fs.SwapReport;
import ext4.api.fs.Transport;
import ext4.api.journal.JournalProvider;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import ext4.api.orphan.OrphanStrategy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/** Replaces parts under the one mount of this container, as an operator does. Belongs to one thread. */
final class Swaps {
    private static final long PATIENCE_SECONDS = 60;
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final BundleContext context;
    private final Watch watch;
    private Mount mount;
    /** Reports that were told already; the mount keeps only the latest. */
    private final Set<SwapReport> told = Collections.newSetFromMap(new IdentityHashMap<>());

    Swaps(BundleContext context, Watch watch) {
        this.context = context;
        this.watch = watch;
    }

    /** Returns when the mount that the container's configuration asks for is up. */
    Mount awaitMounted() throws MountException, TimeoutException, InterruptedException {
        await("a bundle does not start", this::allStarted);
        await("no mount came up", () -> context.getServiceReference(Mount.class) != null);
        mount = context.getService(context.getServiceReference(Mount.class));
        await(
                "the mount does not settle",
                () -> mount.state() != Mount.State.MOUNTING && mount.state() != Mount.State.WAITING);
        if (mount.state() != Mount.State.MOUNTED) {
            throw new MountException(mount.failure());
        }
        return mount;
    }

    /** The agent's own folder holds other parts: they were all installed before the first was started. */
    private boolean allStarted() {
        for (Bundle bundle : context.getBundles()) {
            boolean fragment = bundle.getHeaders("").get(Constants.FRAGMENT_HOST) != null;
            if (!fragment && bundle.getState() != Bundle.ACTIVE) {
                return false;
            }
        }
        return true;
    }

    /** Of each part the one at work and those that there are. */
    Map<SwapReport.Part, Mount.Choice> parts() {
        Map<SwapReport.Part, Mount.Choice> parts = new EnumMap<>(SwapReport.Part.class);
        for (SwapReport.Part part : SwapReport.Part.values()) {
            parts.put(part, mount.choice(part));
        }
        return parts;
    }

    /** What has been reported since this was asked the last time. */
    List<SwapReport> newReports() {
        List<SwapReport> all = mount.switches();
        List<SwapReport> fresh = new ArrayList<>();
        for (SwapReport report : all) {
            if (told.add(report)) {
                fresh.add(report);
            }
        }
        told.retainAll(all);
        return fresh;
    }

    /** Updates the bundle of the provider at work and returns when that provider is at work again. */
    void update(SwapReport.Part part) throws MountException, BundleException, TimeoutException, InterruptedException {
        String name = mount.choice(part).current();
        Bundle bundle = bundle(part, name);
        watch.add(part.text() + " " + name, bundle);
        bundle.update();
        await(part.text() + " " + name + " is not at work again", () -> saysAtWork(part, name));
    }

    /** Whether the latest of the reports that have not been told says so: it comes when all is done. */
    private boolean saysAtWork(SwapReport.Part part, String name) {
        for (SwapReport report : mount.switches().reversed()) {
            if (report.part() == part && !told.contains(report)) {
                return name.equals(report.to());
            }
        }
        return false;
    }

    /** Goes on with another instance of the provider at work, in the same bundle. */
    void renew(SwapReport.Part part) throws MountException {
        mount.replace(part, null);
    }

    /** Switches to the provider of that name. */
    void change(SwapReport.Part part, String name) throws MountException {
        mount.replace(part, name);
    }

    private Bundle bundle(SwapReport.Part part, String name) throws MountException {
        return references(part).stream()
                .filter(reference -> name.equals(reference.getProperty(nameProperty(part))))
                .findFirst()
                .map(ServiceReference::getBundle)
                .orElseThrow(() -> new MountException("no bundle offers the " + part.text() + " " + name));
    }

    private List<ServiceReference<?>> references(SwapReport.Part part) {
        Class<?> type = switch (part) {
            case STRATEGY -> OrphanStrategy.class;
            case JOURNAL -> JournalProvider.class;
            case CORE -> CoreProvider.class;
            case TRANSPORT -> Transport.class;
        };
        try {
            return new ArrayList<>(context.getServiceReferences(type, null));
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e); // there is no filter
        }
    }

    private static String nameProperty(SwapReport.Part part) {
        return switch (part) {
            case STRATEGY -> OrphanStrategy.NAME;
            case JOURNAL -> JournalProvider.NAME;
            case CORE -> CoreProvider.NAME;
            case TRANSPORT -> Transport.NAME;
        };
    }

    private static void await(String otherwise, BooleanSupplier done) throws TimeoutException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!done.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new TimeoutException(otherwise + " within " + PATIENCE_SECONDS + " s");
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }
}
