// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.lab.fuzz.Finding.Kind;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The figures of a run. Any thread. */
final class Totals {
    private long images; // guarded by this
    private long mounted; // guarded by this
    private long contradictions; // guarded by this
    private long operations; // guarded by this
    private long judged; // guarded by this
    private long agreed; // guarded by this
    private final Map<Kind, Long> findings = new EnumMap<>(Kind.class); // guarded by this

    synchronized void image(Trial trial) {
        images++;
        mounted += trial.mounted() ? 1 : 0;
        contradictions += trial.metCorruption() ? 1 : 0;
        operations += trial.operations();
    }

    synchronized void judged(boolean agree) {
        judged++;
        agreed += agree ? 1 : 0;
    }

    synchronized void found(Kind kind) {
        findings.merge(kind, 1L, Long::sum);
    }

    synchronized long images() {
        return images;
    }

    /** Images shown to e2fsck. */
    synchronized long judged() {
        return judged;
    }

    synchronized long count(Kind kind) {
        return findings.getOrDefault(kind, 0L);
    }

    /** Images of a hundred on which checker and e2fsck agree. */
    synchronized double agreement() {
        return judged == 0 ? 100 : 100.0 * agreed / judged;
    }

    /** Nothing that must not happen, and agreement enough. */
    synchronized boolean isGood() {
        return count(Kind.HANG) + count(Kind.CRASH) + count(Kind.FOREIGN) + count(Kind.MISSED) == 0
                && agreement() >= FuzzRun.LEAST_AGREEMENT;
    }

    synchronized String details() {
        return String.format(
                Locale.ROOT,
                "%d of %d mounted read-write, contradictions met in %d, %d operations, %d shown to e2fsck, stricter than it: %d",
                mounted,
                images,
                contradictions,
                operations,
                judged,
                count(Kind.STRICTER));
    }

    /** The last line of the command. */
    synchronized String line() {
        return String.format(
                Locale.ROOT,
                "images: %d, hangs: %d, crashes: %d, foreign exceptions: %d, agreement with e2fsck: %.2f %%,"
                        + " called clean though damaged: %d",
                images,
                count(Kind.HANG),
                count(Kind.CRASH),
                count(Kind.FOREIGN),
                agreement(),
                count(Kind.MISSED));
    }
}
