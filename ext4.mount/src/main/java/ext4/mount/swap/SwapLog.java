// SPDX-License-Identifier: Apache-2.0
package ext4.mount.swap;

import ext4.api.fs.SwapReport;
import ext4.mount.swap.SwapEvent.Outcome;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells what happens to the parts of one mount: to the log, to listeners, in counts. Any thread. */
public final class SwapLog {
    private static final Logger LOG = LoggerFactory.getLogger(SwapLog.class);
    private static final int KEPT_REPORTS = 256;

    private final String mountpoint;
    private final Collection<SwapListener> listeners;
    /** Guarded by this. */
    private final ArrayDeque<SwapReport> reports = new ArrayDeque<>();
    /** Guarded by this. */
    private final Map<SwapReport.Part, Tally> tallies = new EnumMap<>(SwapReport.Part.class);

    private static final class Tally {
        private long replaced;
        private long refused;
        private long missing;
        private long last;
        private long worst;

        @Override
        public String toString() {
            return replaced + " replaced, " + refused + " refused, " + missing + " missing"
                    + (replaced == 0 ? "" : ", pause last " + last + " us, worst " + worst + " us");
        }
    }

    /** @param listeners those that are there at any time */
    public SwapLog(String mountpoint, Collection<SwapListener> listeners) {
        this.mountpoint = mountpoint;
        this.listeners = listeners;
    }

    void replaced(SwapReport report) {
        LOG.info("{}: {} {}", mountpoint, report.part().text(), text(report));
        synchronized (this) {
            keepLocked(report);
            Tally tally = tallyLocked(report.part());
            tally.replaced++;
            tally.last = report.pauseMicros();
            tally.worst = Math.max(tally.worst, tally.last);
        }
        tell(Outcome.REPLACED, report, null);
    }

    void refused(SwapReport.Part part, String from, String to, String why, Throwable thrown) {
        LOG.error("{}: {}; {}", mountpoint, why, from == null ? "none is at work" : "'" + from + "' goes on", thrown);
        synchronized (this) {
            tallyLocked(part).refused++;
        }
        tell(Outcome.REFUSED, new SwapReport(part, from == null ? "none" : from, to, 0, 0, 0, 0), why);
    }

    /** @param consequence which requests wait */
    void missing(SwapReport report, String consequence, String remedy) {
        LOG.warn("{}: {} '{}' is gone; {}: {}", mountpoint, report.part().text(), report.from(), consequence, remedy);
        synchronized (this) {
            keepLocked(report);
            tallyLocked(report.part()).missing++;
        }
        tell(Outcome.MISSING, report, remedy);
    }

    private static String text(SwapReport report) {
        return report.from() + " -> " + report.to() + ": " + report.orphansCarried() + " orphans carried, pause "
                + report.pauseMicros() + " us, "
                + (report.part() == SwapReport.Part.STRATEGY
                        ? report.diskChanges() + " orphan records flushed"
                        : report.flushedBytes() + " bytes flushed");
    }

    private void keepLocked(SwapReport report) {
        if (reports.size() == KEPT_REPORTS) {
            reports.removeFirst();
        }
        reports.addLast(report);
    }

    private Tally tallyLocked(SwapReport.Part part) {
        return tallies.computeIfAbsent(part, none -> new Tally());
    }

    private void tell(Outcome outcome, SwapReport report, String reason) {
        SwapEvent event = new SwapEvent(outcome, mountpoint, report, reason);
        for (SwapListener listener : listeners) {
            try {
                listener.happened(event);
            } catch (RuntimeException e) {
                LOG.warn("{}: nobody hears of it: {}", mountpoint, e.getMessage(), e); // the swap is done all the same
            }
        }
    }

    /** The latest of all parts, oldest first. */
    public synchronized List<SwapReport> reports() {
        return List.copyOf(reports);
    }

    /** How often what happened to a part, and its pauses, in words. */
    public synchronized String counts(SwapReport.Part part) {
        return tallyLocked(part).toString();
    }
}
