// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.image;

import ext4.api.block.BlockDevice;
import ext4.api.fs.DeviceException;
import ext4.testkit.device.DeviceEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A device over an image. It can keep in order what is written and flushed: as whole sectors, since a device writes no
 * less, and what a sector held beside the bytes that were written goes with them. Any thread.
 */
public final class ImageDevice implements BlockDevice {
    /** Bytes that a device writes together or not at all. */
    public static final int SECTOR = 512;

    private final Image image; // guarded by this
    private final boolean recording;
    private final List<DeviceEvent> events = new ArrayList<>(); // guarded by this

    /** A device of {@code image}, which nobody else changes meanwhile. */
    public ImageDevice(Image image, boolean recording) {
        this.image = image;
        this.recording = recording;
    }

    /** Events so far. */
    public synchronized int position() {
        return events.size();
    }

    /** What was written and flushed. */
    public synchronized List<DeviceEvent> events() {
        return List.copyOf(events);
    }

    @Override
    public String name() {
        return "crash";
    }

    @Override
    public long size() {
        return image.bytes().length;
    }

    @Override
    public boolean readOnly() {
        return false;
    }

    @Override
    public synchronized void read(long offset, ByteBuffer dst) {
        dst.put(image.bytes(), at("read", offset, dst.remaining()), dst.remaining());
    }

    @Override
    public synchronized void write(long offset, ByteBuffer src) {
        int at = at("write", offset, src.remaining());
        int end = at + src.remaining();
        image.put(at, src);
        if (recording && end > at) {
            int from = at & -SECTOR;
            int to = (end + SECTOR - 1) & -SECTOR;
            events.add(new DeviceEvent.Write(from, Arrays.copyOfRange(image.bytes(), from, to)));
        }
    }

    @Override
    public synchronized void flush() {
        if (recording) {
            events.add(new DeviceEvent.Flush());
        }
    }

    @Override
    public void close() {
        // nothing is held
    }

    private int at(String operation, long offset, int length) {
        if (offset < 0 || offset > size() - length) {
            throw new DeviceException(operation + " outside the device: byte " + offset + ", length " + length);
        }
        return (int) offset;
    }
}
