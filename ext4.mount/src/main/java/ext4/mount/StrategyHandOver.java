// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.SwapReport;
import ext4.api.orphan.OrphanStrategy;
import ext4.mount.gate.Part;
import ext4.mount.swap.Candidate;
import ext4.mount.swap.PartTarget;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The orphan strategy of a mount: replaced by its core behind the barrier. Without a core there is nothing to do. */
record StrategyHandOver(MountStack stack, Limits limits) implements PartTarget<OrphanStrategy> {
    private static final Logger LOG = LoggerFactory.getLogger(StrategyHandOver.class);

    @Override
    public SwapReport swap(Candidate<OrphanStrategy> from, Candidate<OrphanStrategy> to) {
        CoreFileSystem core = stack.core;
        SwapReport report = core == null
                ? Idle.report(SwapReport.Part.STRATEGY, from, to)
                : core.swapOrphanStrategy(to.name(), to.service());
        if (from == null) {
            stack.gate.open(Part.ORPHANS);
            stack.gated.replayForgets();
        }
        return report;
    }

    @Override
    public SwapReport detach(Candidate<OrphanStrategy> from, Supplier<String> remedy) {
        stack.gate.close(Part.ORPHANS, remedy);
        CoreFileSystem core = stack.core;
        if (core == null) {
            return Idle.report(SwapReport.Part.STRATEGY, from, null);
        }
        try {
            if (!stack.gate.drain(Part.ORPHANS, limits.drainNanos())) {
                LOG.warn(
                        "{}: a request that needs the orphan strategy takes long; it may fail",
                        stack.config.mountpoint());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            core.awaitEvictions(); // they need a list, and nothing that brings new ones passes the gate
            return core.detachOrphanStrategy();
        } catch (RuntimeException | Error e) {
            stack.gate.open(Part.ORPHANS);
            stack.gated.replayForgets();
            throw e;
        }
    }
}
