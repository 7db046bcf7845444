// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.lab.diff.Shape.Kind;
import java.util.Random;

/** Steps on owners, modes, times and extended attributes. */
final class Attributes {
    private static final int[] MODES = {0644, 0755, 04755, 02755, 06711, 02644, 06644, 0, 01777, 07777};
    private static final String[] NAMES = {
        "user.a",
        "user.b",
        "user.c",
        "user.long-name-of-an-attribute",
        "trusted.t",
        "security.s",
        "security.capability",
        "user.",
        "nospace",
        "system.unknown",
        "user." + "n".repeat(250),
        "user." + "n".repeat(251)
    };
    private static final long[] SECONDS = {
        0,
        -1,
        1,
        86400,
        946684800,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 31,
        (1L << 32) - 1,
        1L << 32,
        0x37fffffffL,
        0x380000000L,
        -3_000_000_000L,
        20_000_000_000L
    };

    private final Random random;
    private final Amounts amounts;
    private final Generator generator;

    Attributes(Random random, Amounts amounts, Generator generator) {
        this.random = random;
        this.amounts = amounts;
        this.generator = generator;
    }

    Step next() {
        String path =
                generator.existing(random.nextInt(4) == 0 ? null : random.nextInt(3) == 0 ? Kind.DIRECTORY : Kind.FILE);
        return switch (random.nextInt(16)) {
            case 0, 1 -> Step.of(Verb.CHMOD, path, MODES[random.nextInt(MODES.length)]);
            case 2, 3 -> chown(path);
            case 4, 5 -> Step.of(Verb.UTIMENS, path, seconds(), nanos(), seconds(), nanos());
            case 6, 7, 8, 9, 10 -> Step.of(Verb.SETXATTR, path, name(), valueLength(), random.nextInt(9), setFlags());
            case 11 -> Step.of(Verb.GETXATTR, path, name());
            case 12 -> Step.of(Verb.LISTXATTR, path);
            case 13, 14 -> Step.of(Verb.REMOVEXATTR, path, name());
            default -> Step.of(Verb.READLINK, generator.existing(random.nextInt(5) == 0 ? null : Kind.SYMLINK));
        };
    }

    private Step chown(String path) {
        int which = random.nextInt(3);
        return Step.of(Verb.CHOWN, path, which == 1 ? -1 : owner(), which == 2 ? -1 : owner());
    }

    private int owner() {
        return random.nextInt(3) == 0 ? random.nextInt(1 << 30) : random.nextInt(1000);
    }

    private long seconds() {
        return SECONDS[random.nextInt(SECONDS.length)];
    }

    private int nanos() {
        return switch (random.nextInt(6)) {
            case 0 -> Calls.NOW;
            case 1 -> Calls.OMIT;
            case 2 -> 0;
            default -> random.nextInt(1_000_000_000);
        };
    }

    private String name() {
        return NAMES[random.nextInt(random.nextInt(4) == 0 ? NAMES.length : 7)];
    }

    private int valueLength() {
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> random.nextInt(1, 8);
            case 2 -> random.nextInt(60, 110);
            case 3 -> random.nextInt(200, 900);
            case 4 -> (int) amounts.blockSize() - random.nextInt(40, 90);
            case 5 -> (int) amounts.blockSize() + random.nextInt(100);
            case 6 -> random.nextInt(40) == 0 ? 65536 : random.nextInt(4096);
            default -> random.nextInt(8, 60);
        };
    }

    private int setFlags() {
        return random.nextInt(3) > 0 ? 0 : random.nextInt(4);
    }
}
