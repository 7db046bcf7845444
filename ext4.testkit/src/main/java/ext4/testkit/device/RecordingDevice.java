// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.device;

import ext4.api.block.BlockDevice;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Passes everything on to another device and keeps, in order, what was written and flushed, so that the state of the
 * medium after a crash at any of these events can be made again. Thread-safe: the record has one order for all threads.
 */
public final class RecordingDevice implements BlockDevice {
    private final BlockDevice base;
    private final List<DeviceEvent> events = new ArrayList<>(); // guarded by this
    private boolean recording; // guarded by this

    /** Records over {@code base}, whose bytes at {@link #start()} are the state before the first event. */
    public RecordingDevice(BlockDevice base) {
        this.base = base;
    }

    /** Begins to record. */
    public synchronized void start() {
        recording = true;
    }

    /** Events so far; what was acknowledged before now must hold in every state that keeps this many. */
    public synchronized int position() {
        return events.size();
    }

    /** The record. */
    public synchronized List<DeviceEvent> events() {
        return List.copyOf(events);
    }

    @Override
    public String name() {
        return base.name();
    }

    @Override
    public long size() {
        return base.size();
    }

    @Override
    public boolean readOnly() {
        return base.readOnly();
    }

    @Override
    public void read(long offset, ByteBuffer dst) {
        base.read(offset, dst);
    }

    @Override
    public synchronized void write(long offset, ByteBuffer src) {
        if (recording) {
            byte[] copy = new byte[src.remaining()];
            src.duplicate().get(copy);
            events.add(new DeviceEvent.Write(offset, copy));
        }
        base.write(offset, src);
    }

    @Override
    public synchronized void flush() {
        if (recording) {
            events.add(new DeviceEvent.Flush());
        }
        base.flush();
    }

    @Override
    public void close() {
        base.close();
    }
}
