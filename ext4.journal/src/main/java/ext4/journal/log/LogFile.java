// SPDX-License-Identifier: Apache-2.0
package ext4.journal.log;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CorruptException;
import ext4.api.fs.UnsupportedFeatureException;
import ext4.api.journal.JournalHost;
import ext4.format.FormatException;
import ext4.format.jbd2.JournalFeature;
import ext4.format.jbd2.JournalSuperblock;
import ext4.format.jbd2.LogFormat;
import java.nio.ByteBuffer;
import java.util.List;

/** The journal file: its superblock in memory, its place on the device. Not thread-safe. */
public final class LogFile {
    private final JournalHost host;
    private final BlockDevice device;
    private final int blockSize;
    private final byte[] superblock = new byte[JournalSuperblock.SIZE];
    private final LogMap map;

    /**
     * Reads and checks the superblock.
     *
     * @throws CorruptException if it is not one, or the log lies outside the filesystem
     * @throws UnsupportedFeatureException for features of the log that this project doesn't know
     */
    public LogFile(JournalHost host) {
        this.host = host;
        this.device = host.device();
        this.blockSize = host.blockSize();
        if (host.logLength() < 1) {
            throw new CorruptException("journal inode", -1, "length", host.logLength() + " blocks", "a journal");
        }
        long pblk = host.logBlock(0);
        if (pblk <= 0 || pblk >= host.blocksCount()) {
            throw new CorruptException("journal inode", -1, "block 0", Long.toString(pblk), "inside the filesystem");
        }
        device.read(pblk * blockSize, ByteBuffer.wrap(superblock));
        try {
            JournalSuperblock.validate(superblock, blockSize, host.logLength());
        } catch (FormatException e) {
            throw corrupt(e, pblk);
        }
        int unknown = JournalSuperblock.incompat(superblock) & ~JournalFeature.INCOMPAT_KNOWN;
        if (unknown != 0) {
            throw new UnsupportedFeatureException(
                    "journal", List.of("journal incompat 0x" + Integer.toHexString(unknown)));
        }
        map = new LogMap(host, JournalSuperblock.maxLen(superblock));
    }

    /** The evidence of {@code e} as this journal's error. */
    public static CorruptException corrupt(FormatException e, long pblk) {
        return new CorruptException(e.structure(), pblk, e.field(), e.found(), e.expected());
    }

    public JournalHost host() {
        return host;
    }

    /** The superblock's bytes; changes reach the disk by {@link #writeSuperblock}. */
    public byte[] superblock() {
        return superblock;
    }

    public LogMap map() {
        return map;
    }

    /** What the superblock's features decide. */
    public LogFormat format() {
        return LogFormat.of(superblock);
    }

    /** First block of the ring. */
    public int first() {
        return JournalSuperblock.first(superblock);
    }

    /** One past the last block of the ring. */
    public int end() {
        return JournalSuperblock.logEnd(superblock);
    }

    /** Seals and writes the superblock, and makes it durable if {@code flush}. */
    public void writeSuperblock(boolean flush) {
        JournalSuperblock.seal(superblock);
        device.write(map.pblk(0) * blockSize, ByteBuffer.wrap(superblock));
        if (flush) {
            device.flush();
        }
    }
}
