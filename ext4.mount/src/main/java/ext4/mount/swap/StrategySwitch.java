// SPDX-License-Identifier: Apache-2.0
package ext4.mount.swap;

import ext4.api.fs.SwapReport;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import ext4.api.orphan.OrphanStrategy;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the orphan strategy of one mount the right one while services come and go and the operator changes its mind. All
 * but the getters run on the coordinator's thread.
 */
public final class StrategySwitch {
    private static final Logger LOG = LoggerFactory.getLogger(StrategySwitch.class);
    private static final int KEPT_REPORTS = 256;

    private final String mountpoint;
    private final Candidates<OrphanStrategy> candidates;
    private final StrategyTarget target;
    /** Services that refused, by key, and why; until they change or are asked for by name. The coordinator's. */
    private final Map<Object, String> refused = new HashMap<>();
    /** Guarded by itself. */
    private final ArrayDeque<SwapReport> reports = new ArrayDeque<>();

    /** Written by the coordinator. */
    private volatile Candidate<OrphanStrategy> current;

    private volatile Precedence precedence;
    /** Why the wanted one is not at work, or null. Written by the coordinator. */
    private volatile String trouble;

    /** @param first the strategy that the filesystem was mounted with */
    public StrategySwitch(
            String mountpoint,
            Candidates<OrphanStrategy> candidates,
            Precedence precedence,
            Candidate<OrphanStrategy> first,
            StrategyTarget target) {
        this.mountpoint = mountpoint;
        this.candidates = candidates;
        this.precedence = precedence;
        this.current = first;
        this.target = target;
    }

    /** The configuration names another strategy or another fallback. */
    public void precedence(Precedence changed) {
        if (!changed.equals(precedence)) {
            precedence = changed;
            refused.clear();
        }
        evaluate();
    }

    /** A service came, went or changed: {@code key} may be tried again. */
    public void changed(Object key) {
        refused.remove(key);
        evaluate();
    }

    /** Switches to the best service of that name, which from now on is the named one. */
    public SwapReport choose(String name) throws MountException {
        Candidate<OrphanStrategy> wanted = candidates.best(c -> name.equals(c.name()));
        if (wanted == null) {
            throw new MountException(unknown(name, candidates.names()));
        }
        refused.clear();
        SwapReport report = wanted.sameAs(current) ? new SwapReport(name, name, 0, 0, 0) : swap(wanted);
        if (report == null) {
            throw new MountException(refused.get(wanted.key()));
        }
        precedence = new Precedence(name, precedence.fallback());
        trouble = null;
        return report;
    }

    /** The sentence for a name that nobody has. */
    public static String unknown(String name, List<String> available) {
        return "unknown orphan strategy '" + name + "'; available: "
                + (available.isEmpty() ? "none" : String.join(", ", available));
    }

    private void evaluate() {
        Candidate<OrphanStrategy> wanted = precedence.choose(candidates, this::mayTry);
        while (wanted != null && !wanted.sameAs(current) && swap(wanted) == null && !candidates.contains(current)) {
            wanted = precedence.choose(candidates, this::mayTry);
        }
        String before = trouble;
        Candidate<OrphanStrategy> first = precedence.choose(candidates, c -> true);
        if (first == null) {
            trouble = precedence.wanted() + " is not there";
        } else {
            trouble = first.sameAs(current) ? null : refused.get(first.key());
        }
        if (!candidates.contains(current)) {
            nothingToUse();
        } else if (first == null && !trouble.equals(before)) {
            LOG.warn("{}: {}; '{}' goes on", mountpoint, trouble, current.name());
        }
    }

    private boolean mayTry(Candidate<OrphanStrategy> candidate) {
        return !refused.containsKey(candidate.key());
    }

    /** The one at work is gone and none may take its place. */
    private void nothingToUse() {
        if (current == null) {
            return;
        }
        String gone = current.name();
        current = null;
        String remedy = "start a bundle that provides " + precedence.wanted() + ", or choose one that is there: "
                + (candidates.names().isEmpty() ? "none" : String.join(", ", candidates.names()));
        LOG.warn(
                "{}: orphan strategy '{}' is gone; requests that create, delete or truncate wait: {}",
                mountpoint,
                gone,
                remedy);
        target.missing(remedy);
        report(target.detach());
    }

    /** Returns null, with the reason in {@link #refused}, if the switch did not happen. */
    private SwapReport swap(Candidate<OrphanStrategy> to) {
        SwapReport report;
        try {
            report = target.swap(to.name(), to.service());
        } catch (RuntimeException | LinkageError e) {
            // a strategy is anyone's code: whatever it throws, the old one is at work and the operator gets the reason
            String why = "orphan strategy '" + to.name() + "' refused: " + reason(e);
            refused.put(to.key(), why);
            LOG.error("{}: {}", mountpoint, why, e);
            return null;
        }
        boolean wasMissing = current == null;
        current = to;
        report(report);
        if (wasMissing) {
            target.attached();
        }
        return report;
    }

    private static String reason(Throwable e) {
        return e.getMessage() == null ? e.getClass().getName() : e.getMessage();
    }

    private void report(SwapReport report) {
        LOG.info(
                "{}: orphan strategy {} -> {}: {} orphans carried, pause {} us, {} orphan records flushed",
                mountpoint,
                report.from(),
                report.to(),
                report.orphansCarried(),
                report.pauseMicros(),
                report.diskChanges());
        synchronized (reports) {
            if (reports.size() == KEPT_REPORTS) {
                reports.removeFirst();
            }
            reports.addLast(report);
        }
    }

    /** The strategy at work, or null. */
    public Candidate<OrphanStrategy> current() {
        return current;
    }

    /** The latest switches, oldest first. Any thread. */
    public List<SwapReport> reports() {
        synchronized (reports) {
            return List.copyOf(reports);
        }
    }

    /** Names for the operator. Any thread. */
    public Mount.Strategies strategies() {
        Candidate<OrphanStrategy> now = current;
        return new Mount.Strategies(now == null ? null : now.name(), precedence.named(), candidates.names());
    }

    /** Why the wanted strategy is not at work, or null. Any thread. */
    public String trouble() {
        return trouble;
    }
}
