// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Entries of a directory as getdents64(2) gives them, a buffer at a time. Belongs to one thread. */
public final class DirectoryEntries {
    private static final int SIZE = 1 << 15;
    private static final int D_OFF = 8;
    private static final int D_RECLEN = 16;
    private static final int D_NAME = 19;

    final MemorySegment segment;
    private long end;
    private long at;
    private long position;

    /** Of the usual size. */
    public DirectoryEntries() {
        this(SIZE);
    }

    /** Takes so many bytes at a time; an entry needs up to 280. */
    public DirectoryEntries(int bytes) {
        segment = Arena.ofAuto().allocate(bytes, 8);
    }

    void filled(int bytes) {
        end = bytes;
        at = 0;
    }

    /** The next name, "." and ".." left out; null if the buffer is used up. */
    public byte[] next() {
        while (at < end) {
            int length = Short.toUnsignedInt(segment.get(JAVA_SHORT_UNALIGNED, at + D_RECLEN));
            position = segment.get(JAVA_LONG_UNALIGNED, at + D_OFF);
            int count = 0;
            while (segment.get(JAVA_BYTE, at + D_NAME + count) != 0) {
                count++;
            }
            byte[] name = segment.asSlice(at + D_NAME, count).toArray(JAVA_BYTE);
            at += length;
            boolean dots = count == 1 && name[0] == '.' || count == 2 && name[0] == '.' && name[1] == '.';
            if (!dots) {
                return name;
            }
        }
        return null;
    }

    /** Where to go on in the directory after the last entry that {@link #next} looked at, 0 at first. */
    public long position() {
        return position;
    }

    /** Forgets what is left in the buffer. */
    public void clear() {
        end = 0;
        at = 0;
    }
}
