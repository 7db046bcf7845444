// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The bytes of an open regular file on one side of a copy. Offsets in bytes. */
interface Content extends AutoCloseable {
    Grip grip();

    /** Bytes read into a direct buffer, 0 at the end. */
    int read(ByteBuffer dst, long offset) throws IOException;

    /** Writes all of a direct buffer. */
    void write(ByteBuffer src, long offset) throws IOException;

    /** Where data begins from {@code offset} on; -1 if there is none. */
    long nextData(long offset) throws IOException;

    /** Where the next hole begins after data at {@code offset}. */
    long nextHole(long offset) throws IOException;

    void setSize(long size) throws IOException;

    @Override
    void close();
}
