// SPDX-License-Identifier: Apache-2.0
package ext4.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian numbers in a byte array, at any alignment. A position outside the array throws, as for any array. */
public final class Le {
    private static final VarHandle U16 = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle U32 = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle U64 = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Le() {}

    /** The unsigned byte at {@code off}. */
    public static int u8(byte[] b, int off) {
        return b[off] & 0xFF;
    }

    /** The unsigned 16-bit number at {@code off}. */
    public static int u16(byte[] b, int off) {
        return (short) U16.get(b, off) & 0xFFFF;
    }

    /** The 32-bit number at {@code off} as its bits: unsigned in an int. */
    public static int i32(byte[] b, int off) {
        return (int) U32.get(b, off);
    }

    /** The unsigned 32-bit number at {@code off}. */
    public static long u32(byte[] b, int off) {
        return (int) U32.get(b, off) & 0xFFFF_FFFFL;
    }

    /** The 64-bit number at {@code off} as its bits. */
    public static long u64(byte[] b, int off) {
        return (long) U64.get(b, off);
    }

    /** Stores the low 8 bits. */
    public static void put8(byte[] b, int off, int value) {
        b[off] = (byte) value;
    }

    /** Stores the low 16 bits. */
    public static void put16(byte[] b, int off, int value) {
        U16.set(b, off, (short) value);
    }

    /** Stores 32 bits. */
    public static void put32(byte[] b, int off, int value) {
        U32.set(b, off, value);
    }

    /** Stores the low 32 bits. */
    public static void put32(byte[] b, int off, long value) {
        U32.set(b, off, (int) value);
    }

    /** Stores 64 bits. */
    public static void put64(byte[] b, int off, long value) {
        U64.set(b, off, value);
    }
}
