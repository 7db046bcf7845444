// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

import ext4.api.fs.CorruptException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.format.FormatException;
import ext4.format.hash.NameHash;
import java.util.ArrayList;
import java.util.List;

/** A directory in memory. {@link #reload} does to each block what a write and a later read from the device do. */
final class MemoryDir implements DirFile {
    static final int SEED = 0x1234_5678;

    private final DirFormat format;
    private final List<byte[]> blocks = new ArrayList<>();
    private boolean indexFlag;
    int withoutIndex;
    int blocksAllowed = Integer.MAX_VALUE;

    MemoryDir(DirFormat format) {
        this.format = format;
        DirChange.init(null, this, 2, format.fileType(0x4000));
    }

    static DirFormat format(int blockSize, boolean csum, boolean dirIndex, int version) {
        NameHash[] hashes = new NameHash[3];
        for (int i = 0; i < 3; i++) {
            hashes[i] = NameHash.of(i, new int[] {1, 2, 3, 4});
        }
        return new DirFormat(blockSize, csum, true, dirIndex, 1 << 30, version, hashes);
    }

    void reload() throws FormatException {
        for (int lblk = 0; lblk < blocks.size(); lblk++) {
            DirBlockCheck.seal(blocks.get(lblk), format, SEED);
            DirBlockCheck.check(blocks.get(lblk), format, SEED, lblk);
        }
    }

    @Override
    public DirFormat format() {
        return format;
    }

    @Override
    public int ino() {
        return 12;
    }

    @Override
    public int blocks() {
        return blocks.size();
    }

    @Override
    public boolean indexFlag() {
        return indexFlag;
    }

    @Override
    public void indexFlag(Handle handle, boolean set) {
        indexFlag = set;
    }

    @Override
    public void indexUnusable(CorruptException evidence) {
        withoutIndex++;
    }

    @Override
    public byte[] read(int lblk) {
        return blocks.get(lblk);
    }

    @Override
    public byte[] write(Handle handle, int lblk) {
        byte[] copy = blocks.get(lblk).clone();
        blocks.set(lblk, copy);
        return copy;
    }

    @Override
    public int append(Handle handle) {
        if (blocks.size() >= blocksAllowed) {
            throw ErrnoException.of(Errno.ENOSPC);
        }
        blocks.add(new byte[format.blockSize()]);
        return blocks.size() - 1;
    }
}
