// SPDX-License-Identifier: Apache-2.0
package ext4.format.hash;

/** One step of each of the three MD4 rounds (RFC 1320), as the directory hash uses them. */
final class Md4Round {
    private static final int K2 = 0x5A827999;
    private static final int K3 = 0x6ED9EBA1;

    private Md4Round() {}

    static int f(int a, int b, int c, int d, int word, int shift) {
        return Integer.rotateLeft(a + (d ^ b & (c ^ d)) + word, shift);
    }

    static int g(int a, int b, int c, int d, int word, int shift) {
        return Integer.rotateLeft(a + (b & c) + ((b ^ c) & d) + word + K2, shift);
    }

    static int h(int a, int b, int c, int d, int word, int shift) {
        return Integer.rotateLeft(a + (b ^ c ^ d) + word + K3, shift);
    }
}
