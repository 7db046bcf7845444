// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.block.BlockDeviceProvider;
import ext4.api.fs.CoreProvider;
import ext4.api.fs.FileSystem;
import ext4.api.fs.SwapReport;
import ext4.api.fs.SwapReport.Part;
import ext4.api.fs.Transport;
import ext4.api.journal.JournalProvider;
import ext4.api.keep.Keeper;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStrategy;
import ext4.mount.swap.Candidate;
import ext4.mount.swap.SwapListener;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceReference;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.component.ComponentContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;

/** A configuration of the factory PID as a service; the work is {@link ManagedMount}'s. */
@Component(
        service = Mount.class,
        immediate = true,
        configurationPid = Mount.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = MountMetatype.class, factory = true)
public final class MountComponent implements Mount {
    private final Parts parts = new Parts();

    /** A mount outlives a restart of Configuration Admin. */
    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private volatile ConfigurationAdmin configurations;

    /** Null before {@link #activate}. */
    private volatile ManagedMount mount;

    private volatile ConfigurationRecord record;

    @Activate
    void activate(ComponentContext context, Map<String, Object> properties) {
        record = new ConfigurationRecord(() -> configurations, properties.get(Constants.SERVICE_PID));
        mount = new ManagedMount(record.latest(properties, context.getServiceReference()), parts, record);
    }

    @Modified
    void modified(ComponentContext context, Map<String, Object> properties) {
        mount.configure(record.latest(properties, context.getServiceReference()));
    }

    @Deactivate
    void deactivate() {
        mount.end(); // what is unbound after this finds the mount ended
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindStrategy(ServiceReference<OrphanStrategy> reference, OrphanStrategy service) {
        String name = String.valueOf(reference.getProperty(OrphanStrategy.NAME));
        OrphanStrategy observed = parts.times.observed(name, service);
        parts.strategies.put(candidate(reference, OrphanStrategy.NAME, observed));
        came(Part.STRATEGY, reference);
    }

    void updatedStrategy(ServiceReference<OrphanStrategy> reference, OrphanStrategy service) {
        bindStrategy(reference, service);
    }

    void unbindStrategy(ServiceReference<OrphanStrategy> reference) {
        parts.strategies.remove(reference);
        goes(Part.STRATEGY, reference);
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindJournal(ServiceReference<JournalProvider> reference, JournalProvider service) {
        parts.journals.put(candidate(reference, JournalProvider.NAME, service));
        came(Part.JOURNAL, reference);
    }

    void updatedJournal(ServiceReference<JournalProvider> reference, JournalProvider service) {
        bindJournal(reference, service);
    }

    void unbindJournal(ServiceReference<JournalProvider> reference) {
        parts.journals.remove(reference);
        goes(Part.JOURNAL, reference);
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindCore(ServiceReference<CoreProvider> reference, CoreProvider service) {
        parts.cores.put(candidate(reference, CoreProvider.NAME, service));
        came(Part.CORE, reference);
    }

    void updatedCore(ServiceReference<CoreProvider> reference, CoreProvider service) {
        bindCore(reference, service);
    }

    void unbindCore(ServiceReference<CoreProvider> reference) {
        parts.cores.remove(reference);
        goes(Part.CORE, reference);
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindKeeper(ServiceReference<Keeper> reference, Keeper service) {
        parts.keepers.put(candidate(reference, Keeper.NAME, service));
        ManagedMount running = mount;
        if (running != null) {
            running.deviceCame();
        }
    }

    void unbindKeeper(ServiceReference<Keeper> reference) {
        parts.keepers.remove(reference); // a mount goes on with what it has of it
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindTransport(ServiceReference<Transport> reference, Transport service) {
        parts.transports.put(candidate(reference, Transport.NAME, service));
        came(Part.TRANSPORT, reference);
    }

    void updatedTransport(ServiceReference<Transport> reference, Transport service) {
        bindTransport(reference, service);
    }

    void unbindTransport(ServiceReference<Transport> reference) {
        parts.transports.remove(reference);
        goes(Part.TRANSPORT, reference);
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindDevice(ServiceReference<BlockDeviceProvider> reference, BlockDeviceProvider service) {
        parts.devices.put(candidate(reference, "", service));
        ManagedMount running = mount;
        if (running != null) {
            running.deviceCame();
        }
    }

    void unbindDevice(ServiceReference<BlockDeviceProvider> reference) {
        parts.devices.remove(reference);
        ManagedMount running = mount;
        if (running != null) {
            running.deviceGoes();
        }
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindListener(SwapListener listener) {
        parts.listeners.add(listener);
    }

    void unbindListener(SwapListener listener) {
        parts.listeners.remove(listener);
    }

    private void came(Part part, Object key) {
        ManagedMount running = mount;
        if (running != null) {
            running.partCame(part, key);
        }
    }

    private void goes(Part part, Object key) {
        ManagedMount running = mount;
        if (running != null) {
            running.partGoes(part, key);
        }
    }

    private static <T> Candidate<T> candidate(ServiceReference<T> reference, String nameProperty, T service) {
        Object name = reference.getProperty(nameProperty);
        return new Candidate<>(
                reference,
                name == null ? null : name.toString(),
                reference.getProperty(Constants.SERVICE_RANKING) instanceof Integer ranking ? ranking : 0,
                (Long) reference.getProperty(Constants.SERVICE_ID),
                service,
                origin(reference.getBundle()));
    }

    /** Asked when it is gone: says why it does not come back by itself. Keeps no bundle, which would keep its classes. */
    private static Supplier<String> origin(Bundle bundle) {
        long id = bundle.getBundleId();
        String name = bundle.getSymbolicName();
        return () -> origin(
                name,
                FrameworkUtil.getBundle(MountComponent.class).getBundleContext().getBundle(id));
    }

    private static String origin(String name, Bundle now) {
        if (now == null) {
            return name + ", which is uninstalled";
        }
        return switch (now.getState()) {
            case Bundle.INSTALLED ->
                name + " " + now.getVersion()
                        + ", which is not resolved: if it can't be, something that it needs is not"
                        + " there in a fitting version";
            case Bundle.RESOLVED -> name + ", which is stopped";
            default -> name;
        };
    }

    @Override
    public String image() {
        return mount.image();
    }

    @Override
    public String mountpoint() {
        return mount.mountpoint();
    }

    @Override
    public State state() {
        return mount.state();
    }

    @Override
    public String failure() {
        return mount.failure();
    }

    @Override
    public String refusal() {
        return mount.refusal();
    }

    @Override
    public List<OrphanPlace> orphans() throws MountException {
        return mount.orphans();
    }

    @Override
    public void mount() throws MountException {
        mount.mount();
    }

    @Override
    public CompletableFuture<State> settled() {
        return mount.settled();
    }

    @Override
    public CompletableFuture<State> ended() {
        return mount.ended();
    }

    @Override
    public FileSystem fileSystem() {
        return mount.fileSystem();
    }

    @Override
    public Strategies strategies() {
        return mount.strategies();
    }

    @Override
    public SwapReport strategy(String name) throws MountException {
        return mount.strategy(name);
    }

    @Override
    public Choice choice(Part part) {
        return mount.choice(part);
    }

    @Override
    public SwapReport replace(Part part, String name) throws MountException {
        return mount.replace(part, name);
    }

    @Override
    public void remount(String options) throws MountException {
        mount.remount(options);
    }

    @Override
    public List<SwapReport> switches() {
        return mount.switches();
    }

    @Override
    public Map<String, String> status() {
        return mount.status();
    }

    @Override
    public String restart() throws MountException {
        return mount.restart();
    }

    @Override
    public void unmount() throws MountException {
        mount.unmount();
    }
}
