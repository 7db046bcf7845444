// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;

/**
 * Names between bytes and text, without loss: UTF-8, and each byte that isn't part of valid UTF-8 as the lone surrogate
 * U+DC00 + byte (U+DC80 to U+DCFF). {@code encode(decode(bytes))} is always {@code bytes}. Two texts may mean the same
 * bytes: escaped bytes that together would be valid UTF-8 are read back as the character.
 */
public final class ByteNames {
    private static final int ESCAPE = 0xDC00;

    private ByteNames() {}

    /** The text of a name. */
    public static String decode(byte[] name) {
        return decode(name, 0, name.length);
    }

    /** The text of a part of {@code bytes}. */
    public static String decode(byte[] bytes, int offset, int length) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes, offset, length);
        CharBuffer out = CharBuffer.allocate(length);
        while (true) {
            CoderResult result = decoder.decode(in, out, true);
            if (!result.isError()) {
                return out.flip().toString();
            }
            for (int i = 0; i < result.length(); i++) {
                out.put((char) (ESCAPE + Byte.toUnsignedInt(in.get())));
            }
            decoder.reset();
        }
    }

    /**
     * The bytes of a text.
     *
     * @throws InvalidPathException for NUL, and for a surrogate that stands neither for a byte nor with its other half
     */
    public static byte[] encode(String name) {
        ByteBuffer out = ByteBuffer.allocate(name.length() * 3);
        for (int at = 0; at < name.length(); ) {
            int c = name.codePointAt(at);
            at += Character.charCount(c);
            if (c == 0) {
                throw new InvalidPathException(escape(name), "NUL in a name");
            } else if (c < 0x80) {
                out.put((byte) c);
            } else if (c > ESCAPE + 0x7F && c <= ESCAPE + 0xFF) {
                out.put((byte) (c - ESCAPE));
            } else if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                throw new InvalidPathException(escape(name), "half of a character in a name");
            } else {
                out.put(Character.toString(c).getBytes(StandardCharsets.UTF_8));
            }
        }
        byte[] bytes = new byte[out.position()];
        out.flip().get(bytes);
        return bytes;
    }

    /**
     * The name for people, as {@code ls -b} writes it: control and other invisible characters, and bytes that aren't UTF-8,
     * as {@code \n}, {@code \t} ... or {@code \ooo}; backslash and space with a backslash before them. So no name can pass
     * for another, or for what a terminal acts upon.
     */
    public static String escape(String name) {
        return escape(name, true);
    }

    /** As {@link #escape}, spaces as they are: for messages. */
    public static String escapeForMessage(String name) {
        return escape(name, false);
    }

    private static String escape(String name, boolean space) {
        StringBuilder out = new StringBuilder(name.length());
        for (int at = 0; at < name.length(); ) {
            int c = name.codePointAt(at);
            at += Character.charCount(c);
            int letter = "\u0007\b\t\n\u000B\f\r\\".indexOf(c);
            if (letter >= 0) {
                out.append('\\').append("abtnvfr\\".charAt(letter));
            } else if (c == ' ' && space) {
                out.append("\\ ");
            } else if (isVisible(c)) {
                out.appendCodePoint(c);
            } else {
                appendOctal(out, c);
            }
        }
        return out.toString();
    }

    private static boolean isVisible(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    private static void appendOctal(StringBuilder out, int c) {
        boolean isByte = c > ESCAPE + 0x7F && c <= ESCAPE + 0xFF;
        byte[] bytes = isByte
                ? new byte[] {(byte) (c - ESCAPE)}
                : Character.toString(c).getBytes(StandardCharsets.UTF_8);
        for (byte b : bytes) {
            String digits = Integer.toOctalString(Byte.toUnsignedInt(b));
            out.append('\\').append("0".repeat(3 - digits.length())).append(digits);
        }
    }
}
