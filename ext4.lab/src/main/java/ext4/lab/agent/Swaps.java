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
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/** Replaces parts under the one mount of this container, as an operator does. Belongs to one thread. */
final class Swaps {
    private static final long PATIENCE_SECONDS = 60;
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final String NONE = "none";

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

    /** Names of the providers of each part. */
    Map<String, SortedSet<String>> parts() {
        Map<String, SortedSet<String>> parts = new TreeMap<>();
        for (SwapReport.Part part : SwapReport.Part.values()) {
            SortedSet<String> names = new TreeSet<>();
            references(part).forEach(reference -> names.add(name(part, reference)));
            parts.put(part.name(), names);
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

    /** Updates the bundle of the provider at work and returns when a provider of it is at work again. */
    void update(SwapReport.Part part) throws MountException, BundleException, TimeoutException, InterruptedException {
        String name = current(part);
        Bundle bundle = bundle(part, name);
        int before = seen(part);
        watch.add(part.text() + " " + name, bundle);
        bundle.update();
        await(part.text() + " does not come back", () -> seen(part) > before && name.equals(current(part)));
    }

    /** Switches to the provider of that name. */
    void change(SwapReport.Part part, String name) throws MountException {
        if (part != SwapReport.Part.STRATEGY) {
            throw new MountException("this mount does not switch its " + part.text() + " by name");
        }
        mount.strategy(name);
    }

    /** Reports of a part that the mount still has and that have not been told. */
    private int seen(SwapReport.Part part) {
        int count = 0;
        for (SwapReport report : mount.switches()) {
            count += report.part() == part && !told.contains(report) ? 1 : 0;
        }
        return count;
    }

    private String current(SwapReport.Part part) {
        if (part == SwapReport.Part.STRATEGY) {
            return mount.strategies().current();
        }
        List<SwapReport> all = mount.switches();
        for (SwapReport report : all.reversed()) {
            if (report.part() == part) {
                return NONE.equals(report.to()) ? null : report.to();
            }
        }
        return name(part, references(part).getFirst());
    }

    private Bundle bundle(SwapReport.Part part, String name) throws MountException {
        return references(part).stream()
                .filter(reference -> name.equals(name(part, reference)))
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
            List<ServiceReference<?>> references = new ArrayList<>(context.getServiceReferences(type, null));
            references.sort(Collections.reverseOrder());
            return references;
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e); // there is no filter
        }
    }

    private static String name(SwapReport.Part part, ServiceReference<?> reference) {
        Object name = switch (part) {
            case STRATEGY -> reference.getProperty(OrphanStrategy.NAME);
            case JOURNAL -> reference.getProperty(JournalProvider.NAME);
            case TRANSPORT -> reference.getProperty(Transport.NAME);
            case CORE -> null;
        };
        return name == null ? reference.getBundle().getSymbolicName() : name.toString();
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
