// SPDX-License-Identifier: Apache-2.0
package ext4.mount.swap;

import ext4.api.fs.SwapReport;
import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one part of one mount the right one while services come and go and the operator changes its mind. All but the
 * getters run on the coordinator's thread.
 */
public final class PartSwitch<T> {
    private static final Logger LOG = LoggerFactory.getLogger(PartSwitch.class);
    private static final String NONE = "none";
    /** Causes that are followed; a chain may be a ring. */
    private static final int DEEPEST = 16;

    private final String mountpoint;
    private final SwapReport.Part part;
    private final Candidates<T> candidates;
    private final PartTarget<T> target;
    private final SwapLog log;
    /** Services that refused, by key, and why; until they change or are asked for by name. The coordinator's. */
    private final Map<Object, String> refused = new HashMap<>();

    /** Written by the coordinator. */
    private volatile Candidate<T> current;

    private volatile Precedence precedence;
    /** Why the wanted one is not at work, or null. Written by the coordinator. */
    private volatile String trouble;
    /** What to do about it while it is missing, else null. Written by the coordinator. */
    private volatile Supplier<String> remedy;
    /** When it went missing, by the clock of System.nanoTime; means nothing while one is at work. The coordinator's. */
    private long missingSince;

    /** @param first the service that the filesystem was mounted with */
    public PartSwitch(
            SwapReport.Part part,
            String mountpoint,
            Candidates<T> candidates,
            Precedence precedence,
            Candidate<T> first,
            PartTarget<T> target,
            SwapLog log) {
        this.part = part;
        this.mountpoint = mountpoint;
        this.candidates = candidates;
        this.precedence = precedence;
        this.current = first;
        this.target = target;
        this.log = log;
    }

    /** The configuration names another service or another fallback. */
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

    /** What it needs besides is there again: those that refused may be tried again, if nothing is at work. */
    public void retry() {
        if (current == null) {
            refused.clear();
            evaluate();
        }
    }

    /** Switches to the best service of that name, which from now on is the named one. */
    public SwapReport choose(String name) throws MountException {
        Candidate<T> wanted = candidates.best(c -> name.equals(c.name()) && unfit(c) == null);
        if (wanted == null) {
            Candidate<T> odd = candidates.best(c -> name.equals(c.name()));
            throw new MountException(odd == null ? unknown(part, name, candidates.names()) : refusal(odd, unfit(odd)));
        }
        SwapReport report = wanted.sameAs(current) ? new SwapReport(part, name, name, 0, 0, 0, 0) : ask(wanted);
        precedence = new Precedence(name, precedence.fallback());
        trouble = null;
        return report;
    }

    /** Goes on with the best service that is there, also if it is the one at work. */
    public SwapReport renew() throws MountException {
        Candidate<T> wanted = precedence.choose(candidates, c -> unfit(c) == null);
        if (wanted == null) {
            throw new MountException(precedence.wanted(part.text()) + " is not there");
        }
        SwapReport report = ask(wanted);
        trouble = null;
        return report;
    }

    private SwapReport ask(Candidate<T> wanted) throws MountException {
        refused.clear();
        SwapReport report = swap(wanted);
        if (report == null) {
            String why = refused.get(wanted.key());
            if (current == null) {
                evaluate(); // of those that are there, one may put it right
            }
            throw new MountException(why);
        }
        return report;
    }

    /** The sentence for a name that nobody has. */
    public static String unknown(SwapReport.Part part, String name, List<String> available) {
        return "unknown " + part.text() + " '" + name + "'; available: "
                + (available.isEmpty() ? NONE : String.join(", ", available));
    }

    private void evaluate() {
        refused.keySet().removeIf(key -> !candidates.containsKey(key)); // nothing of what is gone is kept
        Candidate<T> wanted = precedence.choose(candidates, this::mayTry);
        while (wanted != null && !wanted.sameAs(current)) {
            swap(wanted);
            if (candidates.contains(current)) {
                break;
            }
            wanted = precedence.choose(candidates, this::mayTry); // it refused, or is gone by now
        }
        String before = trouble;
        Candidate<T> first = precedence.choose(candidates, c -> precedence.named() != null || unfit(c) == null);
        if (first == null) {
            trouble = precedence.wanted(part.text()) + " is not there";
        } else {
            trouble = first.sameAs(current) ? null : why(first);
        }
        if (!candidates.contains(current)) {
            nothingToUse();
        } else if (first == null && !trouble.equals(before)) {
            LOG.warn("{}: {}; '{}' goes on", mountpoint, trouble, current.name());
        }
    }

    private boolean mayTry(Candidate<T> candidate) {
        return !refused.containsKey(candidate.key()) && unfit(candidate) == null;
    }

    private String why(Candidate<T> candidate) {
        String unfit = unfit(candidate);
        return unfit == null ? refused.get(candidate.key()) : refusal(candidate, unfit);
    }

    private String unfit(Candidate<T> candidate) {
        try {
            return target.unfit(candidate);
        } catch (RuntimeException | LinkageError e) {
            return reason(e); // it is asked, and may be gone by now
        }
    }

    /** The one at work is gone and none may take its place. */
    private void nothingToUse() {
        Candidate<T> gone = current;
        if (gone == null) {
            return;
        }
        String name = gone.title(); // nothing else of what is gone is kept
        Supplier<String> origin = gone.origin();
        Supplier<String> next = () -> remedy(name, origin);
        missingSince = System.nanoTime();
        SwapReport report;
        try {
            report = target.detach(gone, next);
        } catch (RuntimeException | Error e) {
            // anyone's code: whatever it throws, the operator gets the reason, and what worked goes on working
            trouble = part.text() + " '" + gone.title() + "' is gone, but could not be put out of use: " + reason(e);
            log.refused(part, gone.title(), NONE, trouble, e);
            return;
        }
        current = null;
        remedy = next;
        log.missing(report, waits(), next.get());
    }

    private String remedy(String gone, Supplier<String> origin) {
        List<String> names = candidates.names();
        return "start a bundle that provides " + precedence.wanted(part.text()) + " ('" + gone + "' was of "
                + origin.get() + "), or choose one that is there: "
                + (names.isEmpty() ? NONE : String.join(", ", names));
    }

    private String waits() {
        return switch (part) {
            case STRATEGY -> "requests that create, delete or truncate wait";
            case JOURNAL -> "requests that change something wait";
            case CORE -> "all requests wait";
            case TRANSPORT -> "all requests wait in the operating system";
        };
    }

    /** Returns null, with the reason in {@link #refused}, if the switch did not happen. */
    private SwapReport swap(Candidate<T> to) {
        Candidate<T> from = current;
        SwapReport report;
        try {
            report = target.swap(from, to);
        } catch (PartLostException lost) {
            String why = refusal(to, lost.getMessage());
            refused.put(to.key(), why);
            String gone = from.title();
            Supplier<String> origin = from.origin();
            current = null;
            remedy = () -> remedy(gone, origin);
            missingSince = System.nanoTime();
            log.refused(part, null, to.title(), why, lost);
            log.missing(new SwapReport(part, gone, NONE, 0, 0, 0, 0), waits(), remedy.get());
            return null;
        } catch (RuntimeException | Error e) {
            // a part is anyone's code: whatever it throws, the old one is at work and the operator gets the reason
            String why = refusal(to, reason(e));
            refused.put(to.key(), why);
            log.refused(part, from == null ? null : from.title(), to.title(), why, e);
            return null;
        }
        current = to;
        remedy = null;
        if (from == null) {
            report = waited(report);
        }
        log.replaced(report);
        return report;
    }

    /** Callers had to wait since the part went, not only while the next one began. */
    private SwapReport waited(SwapReport report) {
        long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - missingSince);
        return new SwapReport(
                report.part(),
                report.from(),
                report.to(),
                report.orphansCarried(),
                Math.max(micros, report.pauseMicros()),
                report.diskChanges(),
                report.flushedBytes());
    }

    private String refusal(Candidate<T> candidate, String why) {
        return part.text() + " '" + candidate.title() + "' refused: " + why;
    }

    /** What went wrong, in one line, and what that came from in the end. */
    public static String reason(Throwable e) {
        Throwable root = e;
        for (int depth = 0; depth < DEEPEST && root.getCause() != null; depth++) {
            root = root.getCause();
        }
        String what = message(e);
        String why = message(root);
        return what.contains(why) ? what : what + ": " + why;
    }

    private static String message(Throwable e) {
        return e.getMessage() == null ? e.getClass().getName() : e.getMessage();
    }

    /** The service at work, or null. */
    public Candidate<T> current() {
        return current;
    }

    /** Names for the operator. Any thread. */
    public Mount.Choice choice() {
        Candidate<T> now = current;
        return new Mount.Choice(now == null ? null : now.name(), precedence.named(), candidates.names());
    }

    /** Why the wanted service is not at work, or null. Any thread. */
    public String trouble() {
        return trouble;
    }

    /** What to do about it while none is at work, else null. Any thread. */
    public String remedy() {
        Supplier<String> known = remedy;
        return known == null ? null : known.get();
    }
}
