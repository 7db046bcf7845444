// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.api.block.BlockDevice;
import ext4.format.superblock.RawSuperblock;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import java.io.PrintWriter;

/**
 * Checks a filesystem without writing to it, as {@code e2fsck -fn} does: in its passes, in its words, with its exit
 * codes. One line a problem.
 *
 * <p>Memory: a bit for each block and five bytes for each inode, of those groups that have any in use; twelve bytes a
 * directory. Every walk is bounded whatever the image holds. The device is only read; a mounted filesystem gives
 * results that mean nothing.
 *
 * <p>Stricter than e2fsck in this: what e2fsck names before its first pass and then forgets in its exit code (checksums
 * of descriptors, the resize inode), and what the kernel refuses though e2fsck passes it (depth in extent nodes, names
 * outside of the hash range of their index block), counts as a problem.
 *
 * <p>Source of the rules: e2fsck(8), kernel documentation filesystems/ext4.
 */
public final class Check {
    /** Nothing is wrong. */
    public static final int CLEAN = 0;
    /** Problems were found, and left. */
    public static final int UNCORRECTED = 4;
    /** The check could not be made. */
    public static final int OPERATIONAL = 8;

    private static final int MOST_DESC_SIZE = 1024;
    private static final int MOST_LOG_FLEX = 31;

    private final BlockDevice device;
    private final Report report;

    private Check(BlockDevice device, Report report) {
        this.device = device;
        this.report = report;
    }

    /**
     * Checks the filesystem on the device and prints what is found. For one thread.
     *
     * @return {@link #CLEAN}, {@link #UNCORRECTED} or {@link #OPERATIONAL}
     */
    public static int run(BlockDevice device, CheckOptions options, PrintWriter out) {
        int exit = new Check(device, new Report(out, options)).run();
        out.flush();
        return exit;
    }

    private int run() {
        Fs fs = new SuperLoader(device, report).load();
        if (fs == null) {
            return OPERATIONAL;
        }
        State state = new State(fs);
        start(state);
        report.pass("Pass 1: Checking inodes, blocks, and sizes");
        new InodePass(state).run();
        report.pass("Pass 2: Checking directory structure");
        new DirPass(state).run();
        report.pass("Pass 3: Checking directory connectivity");
        new ConnectPass(state).run();
        report.pass("Pass 4: Checking reference counts");
        new LinkPass(state).run();
        report.pass("Pass 5: Checking group summary information");
        new BitmapPass(state).run();
        new OrphanCheck(state).file();
        summary(state);
        return report.problems() == 0 ? CLEAN : UNCORRECTED;
    }

    private void start(State state) {
        byte[] raw = state.fs.sb.bytes();
        if ((SuperblockFields.state(raw, 0) & Superblock.STATE_ERROR) != 0) {
            report.note(
                    "Note: the filesystem is marked as having errors (%d recorded).",
                    SuperblockFields.errorCount(raw, 0));
        }
        if (state.fs.sb.reservedBlocks() > state.fs.sb.blocksCount() / 2) {
            report.problem("Superblock has %d reserved blocks, more than half of all.", state.fs.sb.reservedBlocks());
        }
        int flex = new RawSuperblock(raw, 0).logGroupsPerFlex();
        if (flex > MOST_LOG_FLEX) {
            report.problem("Corruption found in superblock.  (log_groups_per_flex = %d).", flex);
        }
        int descSize = state.fs.sb.storedDescSize();
        if (descSize > MOST_DESC_SIZE || Integer.bitCount(descSize) > 1) {
            report.problem("Corruption found in superblock.  (desc_size = %d).", descSize);
        }
        new SpecialInodes(state).checkQuotaNumbers();
        new GroupCheck(state).run();
        new JournalCheck(state).run();
        new ResizeCheck(state.fs).run();
        new OrphanCheck(state).chain();
        new Backups(state.fs).run();
    }

    private void summary(State state) {
        if (report.notPrinted() > 0) {
            report.note("%d more problems are not shown.", report.notPrinted());
        }
        if (report.problems() > 0) {
            report.note("%s: ********** WARNING: Filesystem still has errors **********", device.name());
        }
        Superblock sb = state.fs.sb;
        byte[] raw = sb.bytes();
        long inodes = Integer.toUnsignedLong(sb.inodesCount());
        report.note(
                "%s: %d/%d files, %d/%d blocks",
                device.name(),
                inodes - SuperblockFields.freeInodes(raw, 0),
                inodes,
                sb.blocksCount() - SuperblockFields.freeBlocks(raw, 0),
                sb.blocksCount());
    }
}
