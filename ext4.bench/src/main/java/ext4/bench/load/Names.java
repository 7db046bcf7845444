// SPDX-License-Identifier: Apache-2.0
package ext4.bench.load;

/** Names of what a load makes: a letter and seven digits. */
final class Names {
    /** Bytes of each name. */
    static final int LENGTH = 8;

    private Names() {}

    /** Puts a name at the beginning of {@code to} and returns its length. */
    static int put(byte[] to, char kind, int number) {
        to[0] = (byte) kind;
        int left = number;
        for (int i = LENGTH - 1; i > 0; i--) {
            to[i] = (byte) ('0' + left % 10);
            left /= 10;
        }
        return LENGTH;
    }
}
