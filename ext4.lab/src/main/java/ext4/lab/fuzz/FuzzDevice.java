// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.api.block.BlockDevice;
import ext4.api.fs.DeviceException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A damaged image as a device in memory: what is written is kept apart from it. It counts what is done since an operation
 * began, and notes what a filesystem must never do: reach outside of it, write although it is read-only, or work without
 * end.
 */
final class FuzzDevice implements BlockDevice {
    private final String name;
    private final Canvas below;
    private final boolean readOnly;
    private final long limit;
    /** Written blocks by number. Guarded by this. */
    private final byte[][] written;

    private final List<String> violations = new ArrayList<>(); // guarded by this
    private long requests; // guarded by this
    private long writes; // guarded by this
    private boolean stopped; // guarded by this

    /** @param limit requests that one operation may make */
    FuzzDevice(String name, Canvas below, boolean readOnly, long limit) {
        this.name = name;
        this.below = below;
        this.readOnly = readOnly;
        this.limit = limit;
        written = new byte[below.size() / below.blockSize()][];
    }

    /** An operation begins. */
    synchronized void begin() {
        requests = 0;
    }

    /** Writes since it was made. */
    synchronized long writes() {
        return writes;
    }

    /** What was noted; it is forgotten. */
    synchronized List<String> violations() {
        List<String> found = List.copyOf(violations);
        violations.clear();
        return found;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long size() {
        return below.size();
    }

    @Override
    public boolean readOnly() {
        return readOnly;
    }

    @Override
    public synchronized void read(long offset, ByteBuffer dst) {
        request("read", offset, dst.remaining());
        byte[] piece = new byte[below.blockSize()];
        for (long at = offset; dst.hasRemaining(); ) {
            int block = (int) (at / piece.length);
            int from = (int) (at % piece.length);
            int count = Math.min(piece.length - from, dst.remaining());
            if (written[block] != null) {
                dst.put(written[block], from, count);
            } else {
                below.read(block, from, piece, 0, count);
                dst.put(piece, 0, count);
            }
            at += count;
        }
    }

    @Override
    public synchronized void write(long offset, ByteBuffer src) {
        request("write", offset, src.remaining());
        if (readOnly) {
            violations.add("write at " + offset + " to a read-only device");
            throw new DeviceException(name + ": read-only");
        }
        writes++;
        for (long at = offset; src.hasRemaining(); ) {
            int block = (int) (at / below.blockSize());
            int from = (int) (at % below.blockSize());
            int count = Math.min(below.blockSize() - from, src.remaining());
            if (written[block] == null) {
                written[block] = below.copy(block);
            }
            src.get(written[block], from, count);
            at += count;
        }
    }

    @Override
    public synchronized void flush() {
        request("flush", 0, 0);
    }

    private void request(String what, long offset, int length) {
        if (stopped) {
            throw new DeviceException(name + ": gone");
        }
        if (offset < 0 || offset > size() - length) {
            violations.add(what + " of " + length + " bytes at " + offset + ", outside of the image");
            throw new DeviceException(name + ": " + what + " at " + offset + " is outside of the image");
        }
        if (++requests > limit) {
            stopped = true;
            violations.add("an operation made more than " + limit + " requests to the device");
            throw new DeviceException(name + ": too many requests");
        }
    }

    @Override
    public void close() {}
}
