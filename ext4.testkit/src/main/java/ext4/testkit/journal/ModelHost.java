// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.journal;

import ext4.api.block.BlockDevice;
import ext4.api.journal.Handle;
import ext4.api.journal.JournalHost;
import ext4.format.jbd2.JournalSuperblock;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** A filesystem that is nothing but a journal in two pieces with blocks between them. */
public final class ModelHost implements JournalHost {
    /** Block size in bytes. */
    public static final int BLOCK = 1024;

    static final int LOG = 1024;
    static final int FIRST_PIECE = 500;
    /** Block of the journal superblock. */
    public static final int FIRST_AT = 10;

    static final int SECOND_AT = 1010;

    /** Blocks that a test may use: all of them lie between the pieces. */
    public static final int DATA_AT = 600;

    static final int DATA = 400;
    static final int BLOCKS = 1600;

    private final BlockDevice device;
    long newestTid;
    int logLength = LOG;
    boolean wide = true;
    boolean checksums = true;
    Consumer<Handle> closing = handle -> {};
    LongConsumer committed = tid -> {};
    volatile Throwable aborted;
    volatile int abortCalls;

    /** The journal of {@link #image} on a device. */
    public ModelHost(BlockDevice device) {
        this.device = device;
    }

    /** The same on another device. */
    ModelHost on(BlockDevice other) {
        ModelHost host = new ModelHost(other);
        host.wide = wide;
        host.checksums = checksums;
        host.logLength = logLength;
        return host;
    }

    /** A device with a new journal on it. */
    public static byte[] image() {
        byte[] bytes = new byte[BLOCKS * BLOCK];
        byte[] superblock = new byte[JournalSuperblock.SIZE];
        byte[] uuid = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
        JournalSuperblock.init(superblock, BLOCK, LOG, uuid, 0);
        System.arraycopy(superblock, 0, bytes, FIRST_AT * BLOCK, superblock.length);
        for (int pblk = DATA_AT; pblk < DATA_AT + DATA; pblk++) {
            System.arraycopy(Content.sealed(BLOCK, pblk, 0), 0, bytes, pblk * BLOCK, BLOCK);
        }
        return bytes;
    }

    /** A block as it stands on the device. */
    public ModelBlock block(long pblk) {
        byte[] data = new byte[BLOCK];
        device.read(pblk * BLOCK, ByteBuffer.wrap(data));
        return new ModelBlock(pblk, data);
    }

    @Override
    public BlockDevice device() {
        return device;
    }

    @Override
    public int blockSize() {
        return BLOCK;
    }

    @Override
    public long blocksCount() {
        return BLOCKS;
    }

    @Override
    public int logLength() {
        return logLength;
    }

    @Override
    public long logBlock(int lblk) {
        return lblk < FIRST_PIECE ? FIRST_AT + lblk : SECOND_AT + (lblk - FIRST_PIECE);
    }

    @Override
    public boolean wideBlockNumbers() {
        return wide;
    }

    @Override
    public boolean metadataChecksums() {
        return checksums;
    }

    @Override
    public long newestTid() {
        return newestTid;
    }

    @Override
    public void closing(Handle handle) {
        closing.accept(handle);
    }

    @Override
    public void committed(long tid) {
        committed.accept(tid);
    }

    @Override
    public synchronized void aborted(Throwable cause) {
        aborted = cause;
        abortCalls = abortCalls + 1;
    }
}
