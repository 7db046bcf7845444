// SPDX-License-Identifier: Apache-2.0
package ext4.format.dir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class DirCookieTest {
    @Test
    void fixedPositionsStandInOrder() {
        assertThat(DirCookie.START).isZero();
        assertThat(DirCookie.DOT).isGreaterThan(DirCookie.START);
        assertThat(DirCookie.DOT_DOT).isGreaterThan(DirCookie.DOT);
        assertThat(DirCookie.pack(0, 0, 0)).isGreaterThan(DirCookie.DOT_DOT).isEqualTo(DirCookie.FIRST);
        assertThat(DirCookie.pack(0xFFFFFFFE, -1, DirCookie.MAX_RANK))
                .isPositive()
                .isLessThan(DirCookie.END)
                .isEqualTo(DirCookie.pack(0xFFFFFFFC, -1, DirCookie.MAX_RANK));
        assertThat(DirCookie.isEntry(DirCookie.DOT_DOT)).isFalse();
        assertThat(DirCookie.isEntry(DirCookie.FIRST)).isTrue();
        assertThat(DirCookie.isEntry(DirCookie.pack(-4, -1, DirCookie.MAX_RANK)))
                .isTrue();
        assertThat(DirCookie.isEntry(DirCookie.END)).isFalse();
        assertThat(DirCookie.isEntry(-1)).isFalse();
    }

    @Test
    void partsComeBackAndOrderIsHashThenMinorThenRank() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            int hash = Integer.compareUnsigned(random.nextInt() & ~1, 0xFFFFFFFC) > 0 ? 0 : random.nextInt() & ~1;
            if (hash == 0xFFFFFFFE) {
                continue;
            }
            int otherHash = random.nextBoolean() ? hash : 0x7FFF_FFF0 & random.nextInt();
            int minor = random.nextInt();
            int otherMinor = random.nextBoolean() ? minor : random.nextInt();
            int rank = random.nextInt(DirCookie.MAX_RANK + 1);
            int otherRank = random.nextInt(DirCookie.MAX_RANK + 1);
            long cookie = DirCookie.pack(hash, minor, rank);
            long other = DirCookie.pack(otherHash, otherMinor, otherRank);
            assertThat(cookie).as("seed " + seed).isPositive();
            assertThat(DirCookie.hash(cookie)).as("seed " + seed).isEqualTo(hash);
            assertThat(DirCookie.minor(cookie)).as("seed " + seed).isEqualTo(minor & 0xFFF00000);
            assertThat(DirCookie.rank(cookie)).as("seed " + seed).isEqualTo(rank);
            assertThat(Integer.signum(Long.compare(cookie, other)))
                    .as("seed " + seed)
                    .isEqualTo(order(hash, minor, rank, otherHash, otherMinor, otherRank));
        }
    }

    private static int order(int hash, int minor, int rank, int otherHash, int otherMinor, int otherRank) {
        int byHash = Integer.compareUnsigned(hash, otherHash);
        int byMinor = Integer.compare(minor >>> 20, otherMinor >>> 20);
        return Integer.signum(byHash != 0 ? byHash : byMinor != 0 ? byMinor : Integer.compare(rank, otherRank));
    }

    @Test
    void aRankThatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> DirCookie.pack(0, 0, DirCookie.MAX_RANK + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
