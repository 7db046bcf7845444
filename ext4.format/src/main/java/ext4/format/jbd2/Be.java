// SPDX-License-Identifier: Apache-2.0
package ext4.format.jbd2;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Big-endian numbers in a byte array, at any alignment. */
final class Be {
    private static final VarHandle U16 = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle U32 = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle U64 = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Be() {}

    static int u16(byte[] b, int off) {
        return (short) U16.get(b, off) & 0xFFFF;
    }

    static int i32(byte[] b, int off) {
        return (int) U32.get(b, off);
    }

    static long u32(byte[] b, int off) {
        return (int) U32.get(b, off) & 0xFFFFFFFFL;
    }

    static long i64(byte[] b, int off) {
        return (long) U64.get(b, off);
    }

    static void put16(byte[] b, int off, int value) {
        U16.set(b, off, (short) value);
    }

    static void put32(byte[] b, int off, int value) {
        U32.set(b, off, value);
    }

    static void put64(byte[] b, int off, long value) {
        U64.set(b, off, value);
    }
}
