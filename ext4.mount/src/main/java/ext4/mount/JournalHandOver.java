// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.HandOver;
import ext4.api.fs.SwapReport;
import ext4.api.journal.JournalProvider;
import ext4.mount.gate.Part;
import ext4.mount.swap.Candidate;
import ext4.mount.swap.PartTarget;
import java.util.function.Supplier;

/**
 * The journal of a mount: replaced by its core behind the journal's own barrier, so requests are not held at the gate.
 * Without a core there is nothing to do.
 */
record JournalHandOver(MountStack stack, Limits limits) implements PartTarget<JournalProvider> {
    @Override
    public SwapReport swap(Candidate<JournalProvider> from, Candidate<JournalProvider> to) {
        CoreFileSystem core = stack.core;
        SwapReport report = core == null
                ? Idle.report(SwapReport.Part.JOURNAL, from, to)
                : report(from, to, core.swapJournal(from == null ? null : from.service(), to.service()));
        if (from == null) {
            open();
        }
        return report;
    }

    @Override
    public SwapReport detach(Candidate<JournalProvider> from, Supplier<String> remedy) {
        stack.gate.close(Part.JOURNAL, remedy);
        CoreFileSystem core = stack.core;
        if (core == null) {
            return Idle.report(SwapReport.Part.JOURNAL, from, null);
        }
        try {
            Drained.of(stack.gate, Part.JOURNAL, limits.drainNanos());
            return report(from, null, core.detachJournal());
        } catch (RuntimeException | Error e) {
            open();
            throw e;
        }
    }

    private void open() {
        stack.gate.open(Part.JOURNAL);
        stack.gated.replayForgets();
    }

    private static SwapReport report(Candidate<JournalProvider> from, Candidate<JournalProvider> to, HandOver done) {
        return new SwapReport(
                SwapReport.Part.JOURNAL,
                Idle.name(from),
                Idle.name(to),
                done.orphans(),
                done.pauseMicros(),
                0,
                done.flushedBytes());
    }

    @Override
    public String unfit(Candidate<JournalProvider> candidate) {
        if (candidate.service().journals() == stack.keepsLog) {
            return null;
        }
        return stack.keepsLog
                ? "it keeps no log, and a mounted filesystem is never switched from a journal to none"
                : "it keeps a log, and a mounted filesystem is never switched from no journal to one";
    }
}
