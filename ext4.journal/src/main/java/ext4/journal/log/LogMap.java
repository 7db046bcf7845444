// SPDX-License-Identifier: Apache-2.0
package ext4.journal.log;

import ext4.api.fs.CorruptException;
import ext4.api.journal.JournalHost;
import java.util.Arrays;

/** Where the journal file's blocks lie on the device: runs, looked up once. Immutable. */
public final class LogMap {
    private final int length;
    private final int[] firstLblk;
    private final long[] firstPblk;

    /** The runs again, ordered by physical block: start and length. */
    private final long[] sortedStart;

    private final int[] sortedLength;

    /**
     * Asks the host for each of the {@code length} blocks.
     *
     * @throws CorruptException if one lies outside the filesystem or two are one
     */
    public LogMap(JournalHost host, int length) {
        this.length = length;
        int[] lblks = new int[16];
        long[] pblks = new long[16];
        int runs = 0;
        for (int lblk = 0; lblk < length; lblk++) {
            long pblk = host.logBlock(lblk);
            if (pblk <= 0 || pblk >= host.blocksCount()) {
                throw new CorruptException(
                        "journal inode", -1, "block " + lblk, Long.toString(pblk), "1 to " + (host.blocksCount() - 1));
            }
            if (runs > 0 && pblk - pblks[runs - 1] == lblk - lblks[runs - 1]) {
                continue;
            }
            if (runs == lblks.length) {
                lblks = Arrays.copyOf(lblks, runs * 2);
                pblks = Arrays.copyOf(pblks, runs * 2);
            }
            lblks[runs] = lblk;
            pblks[runs++] = pblk;
        }
        firstLblk = Arrays.copyOf(lblks, runs);
        firstPblk = Arrays.copyOf(pblks, runs);
        sortedStart = firstPblk.clone();
        sortedLength = new int[runs];
        sort();
    }

    private void sort() {
        Arrays.sort(sortedStart);
        for (int run = 0; run < firstLblk.length; run++) {
            int end = run + 1 < firstLblk.length ? firstLblk[run + 1] : length;
            sortedLength[Arrays.binarySearch(sortedStart, firstPblk[run])] = end - firstLblk[run];
        }
        for (int i = 1; i < sortedStart.length; i++) {
            if (sortedStart[i - 1] + sortedLength[i - 1] > sortedStart[i]) {
                throw new CorruptException(
                        "journal inode", -1, "block map", "block " + sortedStart[i] + " twice", "each block once");
            }
        }
    }

    /** Blocks of the journal file. */
    public int length() {
        return length;
    }

    /** The physical block of {@code lblk}, which must be below {@link #length}. */
    public long pblk(int lblk) {
        int at = Arrays.binarySearch(firstLblk, lblk);
        int run = at >= 0 ? at : -at - 2;
        return firstPblk[run] + (lblk - firstLblk[run]);
    }

    /** Whether {@code pblk} is a block of the journal file. */
    public boolean contains(long pblk) {
        int at = Arrays.binarySearch(sortedStart, pblk);
        if (at >= 0) {
            return true;
        }
        int run = -at - 2;
        return run >= 0 && pblk < sortedStart[run] + sortedLength[run];
    }
}
