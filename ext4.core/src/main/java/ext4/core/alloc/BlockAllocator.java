// SPDX-License-Identifier: Apache-2.0
package ext4.core.alloc;

import ext4.api.fs.Credentials;
import ext4.api.journal.Handle;

/** Allocates and frees blocks. */
public final class BlockAllocator {
    /** Credits of one {@link #allocate} or of {@link #free} within one group: block bitmap and group descriptor. */
    public static final int CREDITS = 2;

    /**
     * One block.
     *
     * @param goal physical block wished for, or near it
     * @throws ext4.api.fs.ErrnoException ENOSPC without a change; the caller closes its handle and may try once more
     *     after {@code SpaceRetry}
     */
    public long allocateOne(Handle handle, Credentials who, long goal) {
        throw new UnsupportedOperationException();
    }

    /**
     * Frees blocks; they are used again only after the transaction is durable. A metadata block is to be given to
     * {@link Handle#forget} and dropped from the cache by the caller, see {@link #freeMetadata}.
     */
    public void free(Handle handle, long pblk, long count) {
        throw new UnsupportedOperationException();
    }

    /** Frees a metadata block: out of the transaction and the cache, with a revoke where needed, then as {@link #free}. */
    public void freeMetadata(Handle handle, long pblk) {
        throw new UnsupportedOperationException();
    }
}
