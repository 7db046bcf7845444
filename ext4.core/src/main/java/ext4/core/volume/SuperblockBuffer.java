// SPDX-License-Identifier: Apache-2.0
package ext4.core.volume;

import ext4.api.block.BlockDevice;
import ext4.api.fs.DeviceException;
import ext4.api.journal.Handle;
import ext4.core.cache.BlockCache;
import ext4.core.cache.BlockKind;
import ext4.core.cache.CachedBlock;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import java.nio.ByteBuffer;

/**
 * The primary superblock's mutable fields. Its block stays in memory for the whole mount. The buffer's own lock is one of
 * the innermost: nothing else is locked while it is held.
 */
public final class SuperblockBuffer {
    /** Reads fields. */
    @FunctionalInterface
    public interface View<T> {
        /** The superblock begins at {@code off} of {@code b}. */
        T on(byte[] b, int off);
    }

    /** Changes fields. */
    @FunctionalInterface
    public interface Edit {
        /** The superblock begins at {@code off} of {@code b}. */
        void on(byte[] b, int off);
    }

    private record Kind(int off) implements BlockKind {
        @Override
        public String what() {
            return "superblock";
        }

        @Override
        public long id() {
            return off;
        }

        @Override
        public void verify(byte[] block, long pblk) {
            Evidence.check(() -> Superblock.checkIdentity(block, off));
        }

        @Override
        public void seal(byte[] block, long pblk) {
            SuperblockFields.seal(block, off);
        }
    }

    private final int off;
    private final CachedBlock block;
    private final Object lock = new Object();

    SuperblockBuffer(BlockCache cache, Superblock sb) {
        off = sb.offsetInBlock();
        block = cache.get(sb.block(), new Kind(off));
    }

    /** Reads under the buffer's lock. */
    public <T> T view(View<T> view) {
        synchronized (lock) {
            return view.on(block.data(), off);
        }
    }

    /**
     * Changes the superblock and writes it to its place at once, durably: while no journal is open, for what must be on
     * disk before the first transaction or after the last.
     */
    public void writeThrough(BlockDevice device, Edit edit) {
        synchronized (lock) {
            edit.on(block.data(), off);
            block.seal(block.data());
            device.write(Superblock.BYTE_OFFSET, ByteBuffer.wrap(block.data(), off, Superblock.SIZE));
        }
        device.flush();
    }

    /**
     * Takes over what the device has, while no journal is open: another may have set marks.
     *
     * @throws ext4.api.fs.CorruptException if there is no superblock any more
     * @throws DeviceException if it is that of another filesystem
     */
    public void reload(BlockDevice device) {
        byte[] b = new byte[Superblock.SIZE];
        device.read(Superblock.BYTE_OFFSET, ByteBuffer.wrap(b));
        Superblock found = Evidence.parse(() -> Superblock.parse(b));
        synchronized (lock) {
            Superblock mine = Evidence.parse(() -> Superblock.parse(block.data(), off));
            if (!found.uuid().equals(mine.uuid()) || found.blocksCount() != mine.blocksCount()) {
                throw new DeviceException(device.name() + ": another filesystem stands there now");
            }
            System.arraycopy(b, 0, block.data(), off, Superblock.SIZE);
        }
    }

    /** Changes under the buffer's lock; one credit. */
    public void edit(Handle handle, Edit edit) {
        byte[] b = handle.write(block);
        synchronized (lock) {
            edit.on(b, off);
        }
    }
}
