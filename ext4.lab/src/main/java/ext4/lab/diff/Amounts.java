// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import java.util.Random;

/** Offsets, lengths and sizes at random: around the edges of blocks, seldom at the limits of a file. */
final class Amounts {
    private static final int[] FALLOCATE_MODES = {0, 0, 1, 1, 3, 3, 3, 16, 16, 17, 17};
    private static final int[] BAD_MODES = {2, 19, 32 | 2, 64, 0x80, 0x100, 8 | 1, 9};
    private static final int SPREAD_BLOCKS = 48;

    private final Random random;
    private final long blockSize;

    Amounts(Random random, long blockSize) {
        this.random = random;
        this.blockSize = blockSize;
    }

    long blockSize() {
        return blockSize;
    }

    long offset() {
        if (random.nextInt(60) == 0) {
            return far();
        }
        long at = random.nextInt(SPREAD_BLOCKS) * blockSize;
        return Math.max(0, random.nextInt(3) == 0 ? at : at + random.nextInt(-40, (int) blockSize));
    }

    long size() {
        return random.nextInt(4) == 0 ? 0 : offset();
    }

    int length() {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextInt(1, 64);
            case 1 -> (int) blockSize * random.nextInt(1, 9);
            case 2 -> random.nextInt(1, (int) blockSize * 24);
            case 3 -> random.nextInt(40) == 0 ? 0 : (int) blockSize;
            default -> random.nextInt(1, (int) blockSize * 2);
        };
    }

    long range() {
        return random.nextInt(50) == 0 ? random.nextInt(-1, 1) : length() * (random.nextInt(5) == 0 ? 4L : 1L);
    }

    int fallocateMode() {
        return random.nextInt(20) == 0
                ? BAD_MODES[random.nextInt(BAD_MODES.length)]
                : FALLOCATE_MODES[random.nextInt(FALLOCATE_MODES.length)];
    }

    /** Around 2 GiB, 4 GiB, and the end of what extents and the kernel can address. */
    private long far() {
        long[] limits = {
            1L << 31, 1L << 32, blockSize << 32, (blockSize << 32) - blockSize, 1L << 40, Long.MAX_VALUE, -1
        };
        long limit = limits[random.nextInt(limits.length)];
        return limit == Long.MAX_VALUE || limit < 0 ? limit : limit + random.nextInt(-2, 2) * blockSize;
    }
}
