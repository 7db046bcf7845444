// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import ext4.api.fs.CoreProvider;
import ext4.api.fs.SwapReport.Part;
import ext4.api.fs.Transport;
import ext4.api.journal.JournalProvider;
import ext4.api.mount.Mount;
import ext4.api.orphan.OrphanStrategy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;

/** A service that does what another does, and is unregistered by somebody else in the middle of its take-over. */
final class Vanishing implements AutoCloseable {
    static final String NAME = "vanishing";
    private static final long PATIENCE_SECONDS = 60;

    private record Kind(Class<?> service, String nameProperty, String takeOver) {}

    private static final Map<Part, Kind> KINDS = Map.of(
            Part.STRATEGY, new Kind(OrphanStrategy.class, OrphanStrategy.NAME, "attach"),
            Part.JOURNAL, new Kind(JournalProvider.class, JournalProvider.NAME, "open"),
            Part.CORE, new Kind(CoreProvider.class, CoreProvider.NAME, "adopt"),
            Part.TRANSPORT, new Kind(Transport.class, Transport.NAME, "resume"));

    private final BundleContext context;
    private final Mount mount;
    private final Part part;
    private final Kind kind;
    private final ServiceReference<?> reference;
    private final Object real;
    private final CompletableFuture<ServiceRegistration<?>> registered = new CompletableFuture<>();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();

    /** @param name of the service that it does as */
    Vanishing(BundleContext context, Mount mount, Part part, String name) throws Exception {
        this.context = context;
        this.mount = mount;
        this.part = part;
        kind = KINDS.get(part);
        reference = context.getServiceReferences(kind.service.getName(), "(" + kind.nameProperty + "=" + name + ")")[0];
        real = context.getService(reference);
    }

    /** Registers it. */
    void begin() {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put(kind.nameProperty, NAME);
        properties.put(Constants.SERVICE_RANKING, 1000);
        Object service = Proxy.newProxyInstance(
                kind.service.getClassLoader(), new Class<?>[] {kind.service}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return method.getName().equals("equals")
                                ? proxy == arguments[0]
                                : method.getName().equals("hashCode") ? System.identityHashCode(this) : NAME;
                    }
                    if (method.getName().equals(kind.takeOver)) {
                        vanish();
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        registered.complete(context.registerService(kind.service.getName(), service, properties));
    }

    /** Returns when its end has begun, which can't come to its end before the take-over does. */
    private void vanish() {
        Thread.ofPlatform().name(NAME).start(() -> {
            try {
                registered.join().unregister();
                gone.complete(null);
            } catch (RuntimeException e) {
                gone.completeExceptionally(e);
            }
        });
        MountCase.await(
                "its end", () -> !mount.choice(part).available().contains(NAME) || gone.isCompletedExceptionally());
    }

    /** Returns when it is unregistered. */
    void awaitEnd() throws Exception {
        gone.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        context.ungetService(reference);
    }
}
