// SPDX-License-Identifier: Apache-2.0
package ext4.core.alloc;

/** Physical blocks in a row. A plain holder that a caller reuses. */
public final class Run {
    /** First block. */
    public long pblk;
    /** Blocks, at least 1. */
    public int count;

    /** To be filled in. */
    public Run() {}

    /** Of these blocks. */
    public Run(long pblk, int count) {
        this.pblk = pblk;
        this.count = count;
    }
}
