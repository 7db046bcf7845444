// SPDX-License-Identifier: Apache-2.0
package ext4.core.extent;

/** Where a run of a file's blocks lies. A plain holder that a caller reuses. */
public final class Mapping {
    /** First block of the run in the file. */
    public long lblk;
    /** Blocks in the run, at least 1. */
    public long count;
    /** First physical block, 0 for a hole. */
    public long pblk;
    /** Allocated, but reads as zeros. */
    public boolean unwritten;

    /** Whether nothing is allocated. */
    public boolean hole() {
        return pblk == 0;
    }

    /** Whether the device has the content. */
    public boolean written() {
        return pblk != 0 && !unwritten;
    }
}
