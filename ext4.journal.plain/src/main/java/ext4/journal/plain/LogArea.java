// SPDX-License-Identifier: Apache-2.0
package ext4.journal.plain;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CorruptException;
import ext4.api.fs.UnsupportedFeatureException;
import ext4.api.journal.JournalHost;
import ext4.format.FormatException;
import ext4.format.jbd2.JournalFeature;
import ext4.format.jbd2.JournalSuperblock;
import ext4.format.jbd2.LogFormat;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Where the log lies and what its superblock says. Nothing of it is believed before it was checked. Not thread-safe. */
final class LogArea {
    final byte[] superblock = new byte[JournalSuperblock.SIZE];
    private final JournalHost host;
    private final BlockDevice device;
    private final int blockSize;
    private final long[] pblks;
    private final long[] sorted;

    /**
     * Reads the superblock.
     *
     * @throws CorruptException if it is not one, or the log's blocks are not blocks of the filesystem, each once
     * @throws UnsupportedFeatureException for features that this project doesn't know
     */
    LogArea(JournalHost host) {
        this.host = host;
        this.device = host.device();
        this.blockSize = host.blockSize();
        if (host.logLength() < 1) {
            throw new CorruptException("journal inode", -1, "length", host.logLength() + " blocks", "a journal");
        }
        long place = inside(host, 0);
        device.read(place * blockSize, ByteBuffer.wrap(superblock));
        try {
            JournalSuperblock.validate(superblock, blockSize, host.logLength());
        } catch (FormatException e) {
            throw corrupt(e, place);
        }
        int unknown = JournalSuperblock.incompat(superblock) & ~JournalFeature.INCOMPAT_KNOWN;
        if (unknown != 0) {
            throw new UnsupportedFeatureException(
                    "journal", List.of("journal incompat 0x" + Integer.toHexString(unknown)));
        }
        int length = JournalSuperblock.maxLen(superblock);
        if (length >= host.blocksCount()) {
            throw new CorruptException(
                    "journal superblock", place, "s_maxlen", Integer.toString(length), "below " + host.blocksCount());
        }
        pblks = new long[length];
        for (int lblk = 0; lblk < length; lblk++) {
            pblks[lblk] = inside(host, lblk);
        }
        sorted = pblks.clone();
        Arrays.sort(sorted);
        for (int i = 1; i < length; i++) {
            if (sorted[i - 1] == sorted[i]) {
                throw new CorruptException(
                        "journal inode", -1, "block map", "block " + sorted[i] + " twice", "each block once");
            }
        }
    }

    private static long inside(JournalHost host, int lblk) {
        long pblk = host.logBlock(lblk);
        if (pblk <= 0 || pblk >= host.blocksCount()) {
            throw new CorruptException(
                    "journal inode", -1, "block " + lblk, Long.toString(pblk), "1 to " + (host.blocksCount() - 1));
        }
        return pblk;
    }

    /**
     * An empty log with the features that the filesystem asks for; its superblock is written if that changes it.
     *
     * @throws CorruptException if the log is not empty
     */
    static LogArea toWrite(JournalHost host) {
        LogArea area = new LogArea(host);
        byte[] b = area.superblock;
        if (JournalSuperblock.start(b) != 0) {
            throw new CorruptException(
                    "journal superblock",
                    area.pblks[0],
                    "s_start",
                    Integer.toString(JournalSuperblock.start(b)),
                    "0, an empty log");
        }
        if (!JournalSuperblock.isVersion2(b)) {
            throw new UnsupportedFeatureException("journal", List.of("journal superblock of version 1"));
        }
        byte[] found = b.clone();
        int dropped = JournalFeature.INCOMPAT_CSUM_V2
                | JournalFeature.INCOMPAT_CSUM_V3
                | JournalFeature.INCOMPAT_ASYNC_COMMIT
                | JournalFeature.INCOMPAT_FAST_COMMIT;
        int wanted = JournalFeature.INCOMPAT_REVOKE
                | (host.wideBlockNumbers() ? JournalFeature.INCOMPAT_64BIT : 0)
                | (host.metadataChecksums() ? JournalFeature.INCOMPAT_CSUM_V3 : 0);
        JournalSuperblock.setFeatures(
                b,
                JournalSuperblock.compat(b) & ~JournalFeature.COMPAT_CHECKSUM,
                JournalSuperblock.incompat(b) & ~dropped | wanted,
                JournalSuperblock.roCompat(b));
        JournalSuperblock.setErrno(b, 0);
        JournalSuperblock.seal(b);
        if (!Arrays.equals(found, b)) {
            area.writeSuperblock(true);
        }
        return area;
    }

    static CorruptException corrupt(FormatException e, long pblk) {
        return new CorruptException(e.structure(), pblk, e.field(), e.found(), e.expected());
    }

    CorruptException corrupt(String structure, int lblk, String field, String found, String expected) {
        return new CorruptException(structure, pblks[lblk], field, found, expected);
    }

    JournalHost host() {
        return host;
    }

    BlockDevice device() {
        return device;
    }

    int blockSize() {
        return blockSize;
    }

    /** What the superblock's features decide; they change in {@link #toWrite} only. */
    LogFormat format() {
        return LogFormat.of(superblock);
    }

    /** First block of the ring. */
    int first() {
        return JournalSuperblock.first(superblock);
    }

    /** One past the ring's last block. */
    int end() {
        return JournalSuperblock.logEnd(superblock);
    }

    /** Blocks of the ring. */
    int capacity() {
        return end() - first();
    }

    /** Blocks of the journal file. */
    int length() {
        return pblks.length;
    }

    /** The block of the ring that is {@code distance} after {@code lblk}; at most one round. */
    int after(int lblk, int distance) {
        int at = lblk + distance;
        return at < end() ? at : at - capacity();
    }

    boolean contains(long pblk) {
        return Arrays.binarySearch(sorted, pblk) >= 0;
    }

    long pblk(int lblk) {
        return pblks[lblk];
    }

    void read(int lblk, byte[] into) {
        device.read(pblks[lblk] * blockSize, ByteBuffer.wrap(into));
    }

    void write(int lblk, byte[] from) {
        writeBlock(pblks[lblk], from);
    }

    /** Writes a block of the filesystem. */
    void writeBlock(long pblk, byte[] from) {
        device.write(pblk * blockSize, ByteBuffer.wrap(from, 0, blockSize));
    }

    void writeSuperblock(boolean flush) {
        JournalSuperblock.seal(superblock);
        device.write(pblks[0] * blockSize, ByteBuffer.wrap(superblock));
        if (flush) {
            device.flush();
        }
    }
}
