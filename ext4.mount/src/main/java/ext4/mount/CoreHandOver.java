// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.CoreProvider;
import ext4.api.fs.PinnedInodes;
import ext4.api.fs.SwapReport;
import ext4.api.journal.JournalProvider;
import ext4.api.orphan.OrphanStrategy;
import ext4.mount.gate.Part;
import ext4.mount.swap.Candidate;
import ext4.mount.swap.PartLostException;
import ext4.mount.swap.PartSwitch;
import ext4.mount.swap.PartTarget;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The core of a mount. Most is flushed while requests run; then the gate holds all, those that run end, the old core freezes,
 * the new one takes over what is pinned, and the requests go on in it.
 *
 * @param journal the provider at work, or null
 * @param strategy the strategy at work, or null
 */
record CoreHandOver(
        MountStack stack,
        Limits limits,
        Supplier<Candidate<JournalProvider>> journal,
        Supplier<Candidate<OrphanStrategy>> strategy)
        implements PartTarget<CoreProvider> {
    private static final Logger LOG = LoggerFactory.getLogger(CoreHandOver.class);

    @Override
    public SwapReport swap(Candidate<CoreProvider> from, Candidate<CoreProvider> to) {
        TakeOver with = others();
        if (stack.core == null) {
            return resume(to, with);
        }
        CoreFileSystem old = stack.core;
        Lease oldLease = stack.lease;
        stack.wasReadOnly = old.readOnly(); // one that is frozen refuses changes whatever it was
        old.prepareFreeze();
        long start = System.nanoTime();
        boolean there = true;
        SwapReport report;
        stack.gate.hold(Part.CORE);
        try {
            Drained.of(stack.gate, Part.CORE, limits.drainNanos());
            PinnedInodes pins = old.freeze();
            try {
                publish(with.adopt(to.service(), stack, pins));
            } catch (RuntimeException | Error e) {
                there = false;
                thaw(old, pins, with, e);
                there = true;
                throw e;
            }
            report = report(from, to, pins, start);
        } finally {
            if (there) {
                open();
            }
        }
        close(old, oldLease);
        return report;
    }

    /** Goes on after {@link #detach}. */
    private SwapReport resume(Candidate<CoreProvider> to, TakeOver with) {
        long start = System.nanoTime();
        PinnedInodes pins = stack.pins;
        publish(with.adopt(to.service(), stack, pins));
        stack.pins = null;
        open();
        return report(null, to, pins, start);
    }

    /** What a core can't do without. */
    private TakeOver others() {
        Candidate<JournalProvider> withJournal = journal.get();
        Candidate<OrphanStrategy> withStrategy = strategy.get();
        if (withJournal == null || withStrategy == null) {
            throw new IllegalStateException(
                    "the " + (withJournal == null ? "journal" : "orphan strategy") + " is missing, which it needs");
        }
        return new TakeOver(withJournal.service(), withStrategy, limits.takeOverNanos());
    }

    /** The old one goes on, or none is there. */
    private void thaw(CoreFileSystem old, PinnedInodes pins, TakeOver with, Throwable cause) {
        try {
            with.thaw(old);
        } catch (RuntimeException | Error e) {
            LOG.error("{}: the core before can't go on either", stack.config.mountpoint(), e);
            String why = PartSwitch.reason(cause) + "; and the one before can't go on: " + PartSwitch.reason(e);
            lose(pins, () -> "start a core that can take it over; the last one refused: " + why);
            close(old, stack.lease);
            throw new PartLostException(why);
        }
    }

    @Override
    public SwapReport detach(Candidate<CoreProvider> from, Supplier<String> remedy) {
        CoreFileSystem old = stack.core;
        long start = System.nanoTime();
        PinnedInodes pins;
        stack.wasReadOnly = old.readOnly();
        old.prepareFreeze();
        stack.gate.hold(Part.CORE);
        try {
            Drained.of(stack.gate, Part.CORE, limits.drainNanos());
            pins = old.freeze();
        } catch (RuntimeException | Error e) {
            open();
            throw e;
        }
        lose(pins, remedy);
        close(old, stack.lease);
        return report(from, null, pins, start);
    }

    private void publish(TakeOver.Adopted adopted) {
        stack.core = adopted.core();
        stack.lease = adopted.lease();
        stack.gated.publish(adopted.core());
    }

    private void lose(PinnedInodes pins, Supplier<String> remedy) {
        stack.pins = pins;
        stack.core = null;
        stack.gated.publish(null);
        stack.gate.close(Part.CORE, remedy);
    }

    private void open() {
        stack.gate.open(Part.CORE);
        stack.gated.replayForgets();
    }

    /** It is frozen, so it writes nothing; whatever it does, it can't reach the device any more. */
    private void close(CoreFileSystem old, Lease lease) {
        try {
            old.close();
            lease.revoke();
        } catch (RuntimeException | Error e) {
            LOG.warn("{}: what is left of the core before: {}", stack.config.mountpoint(), PartSwitch.reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static SwapReport report(
            Candidate<CoreProvider> from, Candidate<CoreProvider> to, PinnedInodes pins, long start) {
        return new SwapReport(
                SwapReport.Part.CORE,
                Idle.name(from),
                Idle.name(to),
                pins.orphans(),
                TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start),
                0,
                pins.flushedBytes());
    }
}
