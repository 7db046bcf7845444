// SPDX-License-Identifier: Apache-2.0
package ext4.mount.swap;

import ext4.api.mount.MountException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread of a mount on which it comes up, changes its parts and goes down. */
public final class Coordinator implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);

    private final ExecutorService executor;
    private volatile Thread thread;

    /** @param name of the thread */
    public Coordinator(String name) {
        executor = Executors.newSingleThreadExecutor(work -> {
            // neither thread locals nor the class loader of whoever happens to create it
            thread = Thread.ofPlatform()
                    .name(name)
                    .inheritInheritableThreadLocals(false)
                    .unstarted(work);
            thread.setContextClassLoader(Coordinator.class.getClassLoader());
            return thread;
        });
    }

    /** Does {@code work} later; nothing after {@link #close}. */
    public void post(Runnable work) {
        submit(Executors.callable(work));
    }

    /** Does {@code work} and returns when it is done or {@code millis} passed: false then, and it goes on. */
    public boolean await(Runnable work, long millis) {
        if (Thread.currentThread() == thread) {
            work.run();
            return true;
        }
        Future<?> done = submit(Executors.callable(work));
        if (done == null) {
            return true;
        }
        try {
            done.get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            return true; // logged where it happened
        }
    }

    /** Does {@code work} and returns its result, or throws what it threw. */
    public <T> T call(Callable<T> work) throws MountException {
        Future<T> done = submit(work);
        if (done == null) {
            throw new MountException("the mount is gone");
        }
        try {
            return done.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MountException("interrupted; what was asked for goes on");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MountException refused) {
                throw refused;
            }
            throw new MountException(e.getCause().toString());
        }
    }

    private <T> Future<T> submit(Callable<T> work) {
        try {
            return executor.submit(() -> {
                try {
                    return work.call();
                } catch (RuntimeException | Error e) {
                    LOG.error("{}: unexpected failure", Thread.currentThread().getName(), e);
                    throw e;
                }
            });
        } catch (RejectedExecutionException e) {
            return null;
        }
    }

    /** Finishes what was posted and joins the thread. */
    @Override
    public void close() {
        executor.shutdown();
        if (Thread.currentThread() != thread) {
            executor.close();
        }
    }
}
