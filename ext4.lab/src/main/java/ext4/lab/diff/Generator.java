// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import ext4.lab.diff.Shape.Kind;
import java.util.Random;

/** The next step, at random: mostly one that succeeds, often one at a limit. */
final class Generator {
    private static final int MANY_NAMES = 220;
    private static final int[] MODES = {0644, 0755, 0600, 04755, 02755, 06711, 02644, 0, 01777, 07777};
    private static final int[] RENAME_FLAGS = {0, 0, 0, 1, 2, 2, 3, 6, 8};

    private final Random random;
    private final Shape shape;
    private final Amounts amounts;
    private final Attributes attributes;

    Generator(Random random, Shape shape, long blockSize) {
        this.random = random;
        this.shape = shape;
        amounts = new Amounts(random, blockSize);
        attributes = new Attributes(random, amounts, this);
    }

    Step next() {
        if (shape.size() > MANY_NAMES && random.nextInt(3) > 0) {
            return remove();
        }
        int die = random.nextInt(100);
        if (die < 12) {
            return make();
        }
        if (die < 24) {
            return move();
        }
        if (die < 30) {
            return remove();
        }
        if (die < 44) {
            return openOrClose();
        }
        if (die < 74) {
            return file();
        }
        if (die < 76) {
            return crowd();
        }
        return die < 98 ? attributes.next() : other();
    }

    private Step make() {
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> Step.of(Verb.MKDIR, fresh(), mode());
            case 3, 4 -> Step.of(Verb.SYMLINK, fresh(), target());
            case 5 -> Step.of(Verb.MKNOD, fresh(), 0100000 | mode(), 0, 0);
            default -> {
                int type = new int[] {0010000, 0140000, 0020000, 0060000}[random.nextInt(4)];
                boolean device = type == 0020000 || type == 0060000;
                yield Step.of(
                        Verb.MKNOD,
                        fresh(),
                        type | mode(),
                        device ? random.nextInt(4096) : 0,
                        device ? random.nextInt(1 << random.nextInt(1, 21)) : 0);
            }
        };
    }

    private Step move() {
        return switch (random.nextInt(4)) {
            case 0 -> Step.of(Verb.LINK, existing(random.nextInt(6) == 0 ? null : Kind.FILE), fresh());
            case 1 -> Step.of(Verb.LINK, existing(null), random.nextInt(4) == 0 ? existing(null) : fresh());
            default ->
                Step.of(
                        Verb.RENAME,
                        existing(random.nextInt(3) == 0 ? Kind.DIRECTORY : null),
                        random.nextInt(2) == 0 ? existing(null) : fresh(),
                        RENAME_FLAGS[random.nextInt(RENAME_FLAGS.length)]);
        };
    }

    private Step remove() {
        return switch (random.nextInt(5)) {
            case 0, 1 -> Step.of(Verb.RMDIR, existing(random.nextInt(8) == 0 ? null : Kind.DIRECTORY));
            case 2 -> Step.of(Verb.UNLINK, existing(Kind.FILE));
            default -> Step.of(Verb.UNLINK, existing(null));
        };
    }

    private Step openOrClose() {
        int slot = random.nextInt(Calls.SLOTS);
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> Step.of(Verb.CREATE, slot, fresh(), mode());
            case 3 -> Step.of(Verb.TMPFILE, slot, directory(), mode());
            case 4 -> Step.of(Verb.LINKOPEN, openSlot(), fresh());
            case 5 -> Step.of(Verb.CLOSE, openSlot());
            case 6 -> Step.of(Verb.OPEN, slot, existing(null), random.nextInt(4));
            default -> Step.of(Verb.OPEN, slot, existing(Kind.FILE), random.nextInt(3) == 0 ? random.nextInt(4) : 0);
        };
    }

    private Step file() {
        int slot = openSlot();
        return switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4, 5, 6 ->
                Step.of(Verb.WRITE, slot, amounts.offset(), amounts.length(), random.nextInt(1000));
            case 7, 8 -> Step.of(Verb.READ, slot, amounts.offset(), amounts.length());
            case 9, 10 -> Step.of(Verb.SETSIZE, slot, amounts.size());
            case 11 -> Step.of(Verb.TRUNCATE, existing(random.nextInt(8) == 0 ? null : Kind.FILE), amounts.size());
            case 12, 13, 14, 15 ->
                Step.of(Verb.FALLOCATE, slot, amounts.fallocateMode(), amounts.offset(), amounts.range());
            case 16 -> Step.of(Verb.DATA, slot, amounts.offset());
            case 17 -> Step.of(Verb.HOLE, slot, amounts.offset());
            case 18 -> Step.of(Verb.COPY, slot, amounts.offset(), openSlot(), amounts.offset(), amounts.length());
            default -> random.nextInt(4) == 0 ? Step.of(Verb.SHARE, slot, openSlot()) : Step.of(Verb.FSYNC, slot);
        };
    }

    private Step crowd() {
        Step many = random.nextInt(3) == 0 ? null : shape.takeMany(random);
        if (many == null) {
            int count = random.nextInt(4) == 0 ? 400 : random.nextInt(1, 60);
            int length = random.nextInt(3) == 0 ? 200 : random.nextInt(8, 40);
            return Step.of(Verb.MANY, directory(), "m" + random.nextInt(4), count, length);
        }
        int stride = random.nextInt(4) == 0 ? random.nextInt(2, 5) : 1;
        return Step.of(Verb.FEWER, many.text(0), many.text(1), many.small(2), many.small(3), stride);
    }

    private Step other() {
        return switch (random.nextInt(4)) {
            case 0 -> Step.of(Verb.STATFS);
            case 1 -> Step.of(Verb.SYNC);
            default -> Step.of(Verb.LIST, directory());
        };
    }

    private int openSlot() {
        int slot = random.nextInt(Calls.SLOTS);
        for (int i = 0; i < Calls.SLOTS && !shape.isOpen(slot); i++) {
            slot = (slot + 1) % Calls.SLOTS;
        }
        return slot;
    }

    private int mode() {
        return MODES[random.nextInt(MODES.length)];
    }

    private String directory() {
        String directory = shape.directory(random);
        return directory.chars().filter(c -> c == '/').count() > 3 ? "" : directory;
    }

    /** A name that is likely to be there. */
    String existing(Kind kind) {
        String found = random.nextInt(25) == 0 ? null : shape.any(random, kind);
        return found == null ? plain(fresh()) : found;
    }

    /** A name that may be there or not, now and then one that can't be. */
    private String fresh() {
        String directory = random.nextInt(40) == 0 ? existingOrRoot() : directory();
        return directory.isEmpty() ? name() : directory + "/" + name();
    }

    /** Something that stat(2) may be asked about: "." and ".." may lie beyond the root. */
    private String plain(String path) {
        return path.endsWith(".") ? path + letter() : path;
    }

    private String existingOrRoot() {
        String any = shape.any(random, null);
        return any == null ? "" : any;
    }

    private String name() {
        int die = random.nextInt(60);
        return switch (die) {
            case 0 -> letter() + "x".repeat(254);
            case 1 -> letter() + "x".repeat(255);
            case 2 -> letter() + "y".repeat(random.nextInt(100, 254));
            case 3, 4 -> random.nextBoolean() ? "." : "..";
            case 5 -> "\u00ff\u0080" + letter();
            case 6 -> letter() + " \n\t";
            case 7 -> "\u00c3\u00a4" + letter();
            default -> letter() + (die < 30 ? letter() : "");
        };
    }

    private String letter() {
        return String.valueOf((char) ('a' + random.nextInt(26)));
    }

    private String target() {
        int length = switch (random.nextInt(6)) {
            case 0 -> random.nextInt(58, 62);
            case 1 -> (int) amounts.blockSize() + random.nextInt(-2, 2);
            case 2 -> random.nextInt(62, 1000);
            case 3 -> random.nextInt(4094, 4097);
            default -> random.nextInt(1, 59);
        };
        return "t".repeat(length);
    }
}
