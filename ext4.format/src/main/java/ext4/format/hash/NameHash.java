// SPDX-License-Identifier: Apache-2.0
package ext4.format.hash;

import ext4.format.Le;

/**
 * The directory hash of one filesystem: a version and a seed, made once at mount (or per index root), then shared.
 *
 * <p>Immutable, safe for any thread; {@link #hash} allocates nothing. The result packs both words:
 * {@code long h = nameHash.hash(name, 0, name.length); int hash = NameHash.major(h); int minor = NameHash.minor(h);}.
 * The major hash has its low bit clear (that bit means "continued" in an index) and is never 0xFFFFFFFE, which is the
 * end-of-directory mark; compare hashes as unsigned numbers.
 */
public final class NameHash {
    public static final int LEGACY = 0;
    public static final int HALF_MD4 = 1;
    public static final int TEA = 2;
    public static final int LEGACY_UNSIGNED = 3;
    public static final int HALF_MD4_UNSIGNED = 4;
    public static final int TEA_UNSIGNED = 5;
    /** Keyed hash of encrypted and case-folded directories; known by number only. */
    public static final int SIPHASH = 6;

    private static final int END_OF_DIRECTORY = 0xFFFFFFFE;
    private static final int LAST_HASH = 0xFFFFFFFC;
    private static final int SIGN_BITS = 0x80808080;

    private final int version;
    private final int seed0;
    private final int seed1;
    private final int seed2;
    private final int seed3;

    private NameHash(int version, int seed0, int seed1, int seed2, int seed3) {
        this.version = version;
        this.seed0 = seed0;
        this.seed1 = seed1;
        this.seed2 = seed2;
        this.seed3 = seed3;
    }

    /**
     * Makes the hash for an effective version.
     *
     * @param version 0 to 5, see {@link #effectiveVersion}
     * @param seed the four words of s_hash_seed; all zero selects the start values of MD4
     * @throws IllegalArgumentException if the version is not {@linkplain #isSupported supported}
     */
    public static NameHash of(int version, int[] seed) {
        if (!isSupported(version)) {
            throw new IllegalArgumentException("hash version " + version);
        }
        if ((seed[0] | seed[1] | seed[2] | seed[3]) == 0) {
            return new NameHash(version, 0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476);
        }
        return new NameHash(version, seed[0], seed[1], seed[2], seed[3]);
    }

    /** Whether this class computes the version: 0 to 5. */
    public static boolean isSupported(int version) {
        return version >= LEGACY && version <= TEA_UNSIGNED;
    }

    /**
     * The version to compute for a version found on disk: 0 to 2 become 3 to 5 on a filesystem whose s_flags say that
     * name bytes are hashed unsigned (bit 0x2); anything else stays.
     */
    public static int effectiveVersion(int onDisk, boolean unsignedHash) {
        return unsignedHash && onDisk >= LEGACY && onDisk <= TEA ? onDisk + 3 : onDisk;
    }

    /** The effective version, 0 to 5. */
    public int version() {
        return version;
    }

    /** The major hash of a packed result: low bit clear, unsigned. */
    public static int major(long packed) {
        return (int) (packed >>> 32);
    }

    /** The minor hash of a packed result: unsigned, always 0 with the legacy versions. */
    public static int minor(long packed) {
        return (int) packed;
    }

    /** Hashes {@code name[off, off + len)}: {@code (major << 32) | minor}. */
    public long hash(byte[] name, int off, int len) {
        boolean signed = version <= TEA;
        return switch (version) {
            case LEGACY, LEGACY_UNSIGNED -> pack(legacy(name, off, len, signed), 0);
            case HALF_MD4, HALF_MD4_UNSIGNED -> halfMd4(name, off, len, signed);
            default -> tea(name, off, len, signed);
        };
    }

    private static long pack(int hash, int minor) {
        int even = hash & ~1;
        return (long) (even == END_OF_DIRECTORY ? LAST_HASH : even) << 32 | minor & 0xFFFFFFFFL;
    }

    private static int legacy(byte[] name, int off, int len, boolean signed) {
        int newer = 0x12A3FE2D;
        int older = 0x37ABE8F9;
        for (int i = off; i < off + len; i++) {
            int c = signed ? name[i] : name[i] & 0xFF;
            int next = older + (newer ^ c * 7152373);
            if (next < 0) {
                next -= 0x7FFFFFFF;
            }
            older = newer;
            newer = next;
        }
        return newer << 1;
    }

    private long halfMd4(byte[] name, int off, int len, boolean signed) {
        int sa = seed0;
        int sb = seed1;
        int sc = seed2;
        int sd = seed3;
        int end = off + len;
        for (int at = off; at < end; at += 32) {
            int w0 = word(name, at, end, 0, signed);
            int w1 = word(name, at, end, 1, signed);
            int w2 = word(name, at, end, 2, signed);
            int w3 = word(name, at, end, 3, signed);
            int w4 = word(name, at, end, 4, signed);
            int w5 = word(name, at, end, 5, signed);
            int w6 = word(name, at, end, 6, signed);
            int w7 = word(name, at, end, 7, signed);
            int a = sa;
            int b = sb;
            int c = sc;
            int d = sd;

            a = Md4Round.f(a, b, c, d, w0, 3);
            d = Md4Round.f(d, a, b, c, w1, 7);
            c = Md4Round.f(c, d, a, b, w2, 11);
            b = Md4Round.f(b, c, d, a, w3, 19);
            a = Md4Round.f(a, b, c, d, w4, 3);
            d = Md4Round.f(d, a, b, c, w5, 7);
            c = Md4Round.f(c, d, a, b, w6, 11);
            b = Md4Round.f(b, c, d, a, w7, 19);

            a = Md4Round.g(a, b, c, d, w1, 3);
            d = Md4Round.g(d, a, b, c, w3, 5);
            c = Md4Round.g(c, d, a, b, w5, 9);
            b = Md4Round.g(b, c, d, a, w7, 13);
            a = Md4Round.g(a, b, c, d, w0, 3);
            d = Md4Round.g(d, a, b, c, w2, 5);
            c = Md4Round.g(c, d, a, b, w4, 9);
            b = Md4Round.g(b, c, d, a, w6, 13);

            a = Md4Round.h(a, b, c, d, w3, 3);
            d = Md4Round.h(d, a, b, c, w7, 9);
            c = Md4Round.h(c, d, a, b, w2, 11);
            b = Md4Round.h(b, c, d, a, w6, 15);
            a = Md4Round.h(a, b, c, d, w1, 3);
            d = Md4Round.h(d, a, b, c, w5, 9);
            c = Md4Round.h(c, d, a, b, w0, 11);
            b = Md4Round.h(b, c, d, a, w4, 15);

            sa += a;
            sb += b;
            sc += c;
            sd += d;
        }
        return pack(sb, sc);
    }

    private long tea(byte[] name, int off, int len, boolean signed) {
        int s0 = seed0;
        int s1 = seed1;
        int end = off + len;
        for (int at = off; at < end; at += 16) {
            int a = word(name, at, end, 0, signed);
            int b = word(name, at, end, 1, signed);
            int c = word(name, at, end, 2, signed);
            int d = word(name, at, end, 3, signed);
            int x = s0;
            int y = s1;
            int sum = 0;
            for (int round = 0; round < 16; round++) {
                sum += 0x9E3779B9;
                x += (y << 4) + a ^ y + sum ^ (y >>> 5) + b;
                y += (x << 4) + c ^ x + sum ^ (x >>> 5) + d;
            }
            s0 += x;
            s1 += y;
        }
        return pack(s0, s1);
    }

    /**
     * Word {@code index} of the chunk of a name that starts at {@code at}. Bytes come in big-endian order, each added
     * with its sign if signed; what the name doesn't fill holds its remaining length, in each byte.
     */
    private static int word(byte[] name, int at, int end, int index, boolean signed) {
        int from = at + 4 * index;
        if (from + 4 <= end) {
            int whole = Integer.reverseBytes(Le.i32(name, from));
            if (!signed || (whole & SIGN_BITS) == 0) {
                return whole; // nothing is borrowed from the next byte
            }
            int value = letter(name, from, signed);
            value = letter(name, from + 1, signed) + (value << 8);
            value = letter(name, from + 2, signed) + (value << 8);
            return letter(name, from + 3, signed) + (value << 8);
        }
        int value = end - at;
        value |= value << 8;
        value |= value << 16;
        for (int i = from; i < end; i++) {
            value = letter(name, i, signed) + (value << 8);
        }
        return value;
    }

    private static int letter(byte[] name, int i, boolean signed) {
        return signed ? name[i] : name[i] & 0xFF;
    }
}
