// SPDX-License-Identifier: Apache-2.0
package ext4.mount.swap;

import ext4.api.fs.SwapReport;
import ext4.api.orphan.OrphanStrategy;

/** The running filesystem, as far as its orphan strategy goes. */
public interface StrategyTarget {
    /** As {@link ext4.api.fs.CoreFileSystem#swapOrphanStrategy}. */
    SwapReport swap(String name, OrphanStrategy strategy);

    /** As {@link ext4.api.fs.CoreFileSystem#detachOrphanStrategy}; requests that need a list are held and drained. */
    SwapReport detach();

    /** A strategy is there again after {@link #detach}. */
    void attached();

    /** No strategy is there: requests that need one wait from now on. */
    void missing(String remedy);
}
