// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.mutant;

import ext4.api.block.BlockDevice;
import ext4.lab.crash.load.Pattern;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What files hold is written after the second flush that follows: behind the commit that needs it. */
final class LateData extends ForwardingDevice {
    private record Late(long offset, byte[] bytes, int flushes) {
        boolean overlaps(long from, int length) {
            return from < offset + bytes.length && offset < from + length;
        }
    }

    private final List<Late> late = new ArrayList<>(); // guarded by this
    private int flushes; // guarded by this

    LateData(BlockDevice device) {
        super(device);
    }

    @Override
    public synchronized void read(long offset, ByteBuffer dst) {
        writeOverlapping(offset, dst.remaining());
        device.read(offset, dst);
    }

    @Override
    public synchronized void write(long offset, ByteBuffer src) {
        if (Pattern.isOfFile(src)) {
            byte[] bytes = new byte[src.remaining()];
            src.get(bytes);
            late.add(new Late(offset, bytes, flushes));
        } else {
            writeOverlapping(offset, src.remaining());
            device.write(offset, src);
        }
    }

    @Override
    public synchronized void flush() {
        device.flush();
        flushes++;
        late.removeIf(each -> {
            boolean due = flushes - each.flushes >= 2;
            if (due) {
                device.write(each.offset, ByteBuffer.wrap(each.bytes));
            }
            return due;
        });
    }

    private void writeOverlapping(long from, int length) {
        late.removeIf(each -> {
            boolean overlaps = each.overlaps(from, length);
            if (overlaps) {
                device.write(each.offset, ByteBuffer.wrap(each.bytes));
            }
            return overlaps;
        });
    }
}
