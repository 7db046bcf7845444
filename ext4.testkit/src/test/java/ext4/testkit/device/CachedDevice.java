// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.device;

import ext4.api.block.BlockDevice;
import ext4.api.fs.DeviceException;
import java.nio.ByteBuffer;
import java.util.BitSet;

/** A device with a cache that is lost when it is closed, over a medium that a flush writes to: right, for mutants to break. */
class CachedDevice implements BlockDevice {
    static final int SECTOR = 512;

    final byte[] medium; // guarded by this
    final byte[] cache; // guarded by this
    final BitSet dirty = new BitSet(); // guarded by this: sectors of the cache
    private final boolean readOnly;
    private boolean closed; // guarded by this

    CachedDevice(byte[] medium, boolean readOnly) {
        this.medium = medium;
        this.cache = medium.clone();
        this.readOnly = readOnly;
    }

    @Override
    public String name() {
        return "cached";
    }

    @Override
    public long size() {
        return medium.length;
    }

    @Override
    public boolean readOnly() {
        return readOnly;
    }

    @Override
    public synchronized void read(long offset, ByteBuffer dst) {
        check(offset, dst.remaining());
        dst.put(cache, (int) offset, dst.remaining());
    }

    @Override
    public synchronized void write(long offset, ByteBuffer src) {
        checkWritable();
        check(offset, src.remaining());
        int end = (int) offset + src.remaining();
        src.get(cache, (int) offset, src.remaining());
        dirty.set((int) offset / SECTOR, (end + SECTOR - 1) / SECTOR);
    }

    @Override
    public synchronized void flush() {
        check(0, 0);
        dirty.stream().forEach(sector -> System.arraycopy(cache, sector * SECTOR, medium, sector * SECTOR, SECTOR));
        dirty.clear();
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    void check(long offset, long length) {
        if (closed) {
            throw new DeviceException("cached: closed");
        }
        if (offset < 0 || offset > medium.length - length) {
            throw new DeviceException("cached: outside, byte " + offset);
        }
    }

    void checkWritable() {
        if (readOnly) {
            throw new DeviceException("cached: read-only");
        }
    }
}
