// SPDX-License-Identifier: Apache-2.0
package ext4.core.alloc;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.core.volume.Volume;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * ENOSPC is said only after what is being freed is free: on it this waits for evictions and a commit, if there is any
 * space to come, and tries again.
 */
public final class SpaceRetry {
    private static final int ATTEMPTS = 3;

    private final Volume volume;
    private final BlockAllocator blocks;
    private final BooleanSupplier evictions;

    /** @param evictions waits for outstanding evictions; whether there were any */
    public SpaceRetry(Volume volume, BlockAllocator blocks, BooleanSupplier evictions) {
        this.volume = volume;
        this.blocks = blocks;
        this.evictions = evictions;
    }

    /**
     * Runs {@code attempt}, which opens a handle of its own, leaves nothing behind when it throws ENOSPC, and has closed
     * the handle by then. The caller may hold inode locks.
     */
    public <T> T run(Supplier<T> attempt) {
        for (int i = 1; ; i++) {
            try {
                return attempt.get();
            } catch (ErrnoException e) {
                if (e.errno() != Errno.ENOSPC || i >= ATTEMPTS || !reclaim()) {
                    throw e;
                }
            }
        }
    }

    /** As {@link #run} without a result. */
    public void run(Runnable attempt) {
        run(() -> {
            attempt.run();
            return null;
        });
    }

    /** Waits for space to come; false if none is. No handle is open. */
    public boolean reclaim() {
        boolean evicted = evictions.getAsBoolean();
        if (!evicted && blocks.pendingBlocks() == 0) {
            return false;
        }
        volume.journal().commitRunning();
        return true;
    }
}
