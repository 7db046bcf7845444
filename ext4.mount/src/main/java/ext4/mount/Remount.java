// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.block.BlockDeviceProvider;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.Ext4Exception;
import ext4.api.journal.JournalProvider;
import ext4.api.mount.MountException;
import ext4.api.orphan.OrphanStrategy;
import ext4.mount.gate.Part;
import ext4.mount.swap.Candidate;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Read-only and read-write again while it is mounted. The kernel knows which files are open for writing and which unlinked
 * ones are open, so it is asked first; then the gate holds all requests, those that run end, and the core changes. What
 * goes wrong on the way is undone. Runs on the coordinator's thread.
 */
final class Remount {
    /**
     * How long a mount point may be busy. A write that runs makes it so for a moment, and an unlinked file stays until the
     * kernel's FORGET is there; a file that is open for writing makes it so for good.
     */
    private static final long BUSY_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final long LOOK_AGAIN_NANOS = TimeUnit.MICROSECONDS.toNanos(300);
    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final MountStack stack;
    private final CoreFileSystem core;
    private final String name;

    /** @throws MountException if a part is missing that it takes */
    Remount(MountStack stack) throws MountException {
        this.stack = stack;
        core = stack.core();
        name = stack.config.mountpoint();
        if (stack.suspended != null) {
            throw new MountException(name + ": not remounted: its transport is missing");
        }
    }

    @FunctionalInterface
    private interface Step {
        void run();
    }

    /** Makes it read-only. Does nothing if it is. */
    void readOnly() throws MountException {
        if (core.readOnly()) {
            tellKernel(true);
            return;
        }
        reasoned(core::syncfs); // most of the work, with requests running
        tellKernel(true);
        try {
            unlessBusy(() -> held(core::remountReadOnly));
        } catch (MountException e) {
            if (!core.readOnly()) {
                tellKernel(false);
            }
            throw e;
        }
    }

    /** Makes it read-write, with these services if it never was. Does nothing if it is. */
    void readWrite(MountConfig config, Parts parts, Candidate<OrphanStrategy> strategy) throws MountException {
        if (core.readOnly()) {
            BlockDeviceProvider devices = there(parts.device(config), "block device provider");
            JournalProvider journal =
                    there(parts.journal(config, stack.keepsLog), "journal").service();
            there(strategy, "orphan strategy");
            reasoned(() -> held(() -> writable(devices, journal, strategy)));
        }
        try {
            tellKernel(false);
        } catch (MountException e) {
            reasoned(() -> held(core::remountReadOnly));
            throw e;
        }
    }

    private void writable(BlockDeviceProvider devices, JournalProvider journal, Candidate<OrphanStrategy> strategy) {
        boolean reopen = stack.device.readOnly();
        if (reopen) {
            stack.device.reopenForWriting(devices);
        }
        try {
            core.remountReadWrite(journal, strategy.name(), strategy.service());
        } catch (RuntimeException | Error e) {
            if (reopen) {
                stack.device.reopenForReading(devices);
            }
            throw e;
        }
    }

    private <T> T there(T part, String what) throws MountException {
        if (part == null) {
            throw new MountException(name + ": not remounted: no " + what + " is there");
        }
        return part;
    }

    private void tellKernel(boolean readOnly) throws MountException {
        if (stack.session != null) {
            unlessBusy(() -> stack.session.remount(readOnly));
        }
    }

    /** With no request running. */
    private void held(Step step) {
        stack.gate.hold(Part.CORE);
        try {
            if (!stack.gate.drain(Part.CORE, DRAIN_NANOS)) {
                throw ErrnoException.of(Errno.EBUSY);
            }
            step.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ErrnoException.of(Errno.EINTR);
        } finally {
            stack.gate.open(Part.CORE);
            stack.gated.replayForgets();
        }
    }

    private void unlessBusy(Step step) throws MountException {
        long deadline = System.nanoTime() + BUSY_NANOS;
        reasoned(() -> {
            while (true) {
                try {
                    step.run();
                    return;
                } catch (ErrnoException e) {
                    if (e.errno() != Errno.EBUSY || System.nanoTime() > deadline) {
                        throw e;
                    }
                }
                LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            }
        });
    }

    private void reasoned(Step step) throws MountException {
        try {
            step.run();
        } catch (ErrnoException e) {
            throw new MountException(
                    name + ": " + (e.errno() == Errno.EBUSY ? "mount point is busy" : "remount: " + e.getMessage()));
        } catch (Ext4Exception e) {
            throw new MountException(name + ": not remounted: " + e.getMessage());
        }
    }
}
