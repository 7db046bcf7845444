// SPDX-License-Identifier: Apache-2.0
package ext4.mount.swap;

import ext4.api.fs.SwapReport;
import java.util.function.Supplier;

/** The running filesystem, as far as one of its parts goes. All is called on the coordinator's thread. */
public interface PartTarget<T> {
    /**
     * Puts {@code to} to work in place of {@code from}, or of none after {@link #detach}: requests that waited go on then.
     *
     * @param from what was at work, whether its service is still there or not; null if nothing is
     * @throws PartLostException if nothing is at work now: as after {@link #detach}
     * @throws RuntimeException any other, or an Error: what was at work is, and what was missing is still missing
     */
    SwapReport swap(Candidate<T> from, Candidate<T> to);

    /**
     * Puts the part out of use without a successor: requests that need it wait from when this begins, and when it returns
     * nothing of the part is held any longer.
     *
     * @param remedy what to do about it, for the log
     * @throws RuntimeException or an Error: it is at work as before
     */
    SwapReport detach(Candidate<T> from, Supplier<String> remedy);

    /** Why {@code candidate} can't be this mount's part whatever happens, in one sentence; null if it can. */
    default String unfit(Candidate<T> candidate) {
        return null;
    }
}
