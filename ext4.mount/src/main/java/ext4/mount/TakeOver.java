// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.CoreProvider;
import ext4.api.fs.DeviceException;
import ext4.api.fs.PinnedInodes;
import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanStrategy;
import ext4.mount.swap.Candidate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a core take over a frozen filesystem, with these services, within a limit. One that takes longer loses the device, and
 * only then does the one before go on.
 */
record TakeOver(JournalProvider journal, Candidate<OrphanStrategy> strategy, long limitNanos) {
    private static final Logger LOG = LoggerFactory.getLogger(TakeOver.class);

    /** A core that took over, and its way to the device. */
    record Adopted(CoreFileSystem core, Lease lease) {}

    /** Throws what the core throws, or that it takes too long: nothing of it reaches the device then. */
    Adopted adopt(CoreProvider provider, MountStack stack, PinnedInodes pins) {
        Lease lease = new Lease(stack.device, false);
        CompletableFuture<CoreFileSystem> done = new CompletableFuture<>();
        Thread worker = Thread.ofPlatform()
                .name("ext4 take-over " + stack.config.mountpoint())
                .inheritInheritableThreadLocals(false)
                .unstarted(() -> work(provider, stack, pins, lease, done));
        worker.setContextClassLoader(TakeOver.class.getClassLoader());
        worker.start();
        try {
            await(done);
            worker.join();
            lease.keep();
            return new Adopted(done.join(), lease);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            revoke(lease);
            throw new IllegalStateException("interrupted while it takes over", e);
        } catch (RuntimeException | Error e) {
            revoke(lease);
            throw e;
        }
    }

    private void await(CompletableFuture<CoreFileSystem> done) throws InterruptedException {
        try {
            done.get(limitNanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            String late = "it takes longer than " + TimeUnit.NANOSECONDS.toMillis(limitNanos) + " ms to take over";
            if (done.completeExceptionally(new IllegalStateException(late))) {
                throw new IllegalStateException(late);
            }
            await(done); // it is there, at the last moment
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case Error error -> throw error;
                case RuntimeException thrown -> throw thrown;
                default -> throw new IllegalStateException(e.getCause());
            }
        }
    }

    private void work(
            CoreProvider provider,
            MountStack stack,
            PinnedInodes pins,
            Lease lease,
            CompletableFuture<CoreFileSystem> done) {
        CoreFileSystem core;
        try {
            core = provider.adopt(
                    lease,
                    stack.config.options().options().withReadOnly(stack.wasReadOnly),
                    journal,
                    strategy.name(),
                    strategy.service(),
                    pins);
            if (core == null) {
                throw new IllegalStateException("it gives back nothing");
            }
        } catch (RuntimeException | Error e) {
            done.completeExceptionally(e); // who waits throws it
            return;
        }
        if (!done.complete(core)) {
            close(core, stack.config.mountpoint());
        }
    }

    /** It came too late: without the device it can only fail, and end its threads. */
    private static void close(CoreFileSystem late, String mountpoint) {
        try {
            late.close();
        } catch (RuntimeException e) {
            LOG.debug("{}: the core that came too late", mountpoint, e);
        }
    }

    private static void revoke(Lease lease) {
        try {
            lease.revoke();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeviceException("interrupted while a core is in the device");
        }
    }

    /** The one before goes on. */
    void thaw(CoreFileSystem old) {
        old.thaw(journal, strategy.name(), strategy.service());
    }
}
