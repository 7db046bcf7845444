// SPDX-License-Identifier: Apache-2.0
package ext4.api.block;

import java.nio.ByteBuffer;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A range of bytes that can be read, written and made durable. Every method may be called by any number of threads at
 * once; overlapping concurrent writes leave either's bytes.
 *
 * <p>A failure of the medium, a short transfer and an access outside {@link #size()} are reported as
 * {@link ext4.api.fs.DeviceException}.
 *
 * <p>A thread that is interrupted makes its transfer all the same and keeps its interrupt status: a request's end does not
 * end a device. (A {@code FileChannel} closes itself when a thread in it is interrupted.)
 */
@ConsumerType
public interface BlockDevice extends AutoCloseable {
    /** How messages name this device, normally the path it was opened by. */
    String name();

    /** Size in bytes when it was opened. */
    long size();

    /** Whether {@link #write}, {@link #discard} and {@link #zero} are refused. */
    boolean readOnly();

    /** Reads {@code dst.remaining()} bytes at {@code offset} or fails; the buffer's position moves to its limit. */
    void read(long offset, ByteBuffer dst);

    /** Writes {@code src.remaining()} bytes at {@code offset} or fails; durable only after {@link #flush()}. */
    void write(long offset, ByteBuffer src);

    /** Returns when everything whose {@link #write} returned before this call began is durable. */
    void flush();

    /** Tells the device that the range holds nothing of use; what it reads as afterwards is not defined. */
    default void discard(long offset, long length) {}

    /** Makes the range read as zeros, by deallocation where the device can. */
    default void zero(long offset, long length) {
        ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(length, 1 << 16));
        for (long done = 0; done < length; ) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), length - done));
            int count = zeros.remaining();
            write(offset + done, zeros);
            done += count;
        }
    }

    /**
     * Releases the device without flushing; a second time does nothing. Other calls after it fail with
     * {@link ext4.api.fs.DeviceException}.
     */
    @Override
    void close();
}
