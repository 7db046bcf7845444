// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.format.fields.Field;
import java.util.Arrays;
import java.util.Random;

/**
 * One change: a field of a part gets a value, or the part as a whole is changed by one of the deeds. Its text can be read
 * again.
 *
 * @param part name of the part
 * @param field name of the field, or a deed
 * @param value what it gets
 * @param raw whether the checksum stays as it was
 */
record Mutation(String part, String field, long value, boolean raw) {
    /** All bytes become this one. */
    static final String FILL = "@fill";
    /** All bytes become random, from this seed. */
    static final String NOISE = "@noise";
    /** This bit is turned over. */
    static final String BIT = "@bit";
    /** It becomes what stands at its place in this block. */
    static final String COPY = "@copy";

    private static final String RAW = "raw ";

    /** Reads the text of {@link #toString}. */
    static Mutation parse(String text) {
        boolean raw = text.startsWith(RAW);
        String rest = raw ? text.substring(RAW.length()) : text;
        int equals = rest.lastIndexOf('=');
        int space = rest.lastIndexOf(' ', Math.max(0, equals));
        if (equals < 0 || space < 0) {
            throw new IllegalArgumentException("not a change: " + text);
        }
        return new Mutation(
                rest.substring(0, space),
                rest.substring(space + 1, equals),
                Long.decode(rest.substring(equals + 1)),
                raw);
    }

    /** Makes the change, and the checksums after it. */
    void apply(Base base, Canvas canvas) {
        Part target = base.part(part);
        byte[] b = canvas.block(target.pblk());
        int from = target.at();
        int to = from + target.length();
        switch (field) {
            case FILL -> Arrays.fill(b, from, to, (byte) value);
            case NOISE -> noise(b, from, to);
            case BIT -> b[from + (int) (value >>> 3)] ^= (byte) (1 << (value & 7));
            case COPY -> System.arraycopy(canvas.copy(value), from, b, from, target.length());
            default -> set(target, b, from);
        }
        if (!raw) {
            target.seal().on(canvas);
        }
    }

    private void noise(byte[] b, int from, int to) {
        byte[] bytes = new byte[to - from];
        new Random(value).nextBytes(bytes);
        System.arraycopy(bytes, 0, b, from, bytes.length);
    }

    private void set(Part target, byte[] b, int from) {
        Field named = target.field(field);
        if (named == null) {
            throw new IllegalArgumentException(part + " has no field " + field);
        }
        named.set(b, from, value);
    }

    @Override
    public String toString() {
        return (raw ? RAW : "") + part + " " + field + "=" + value;
    }
}
