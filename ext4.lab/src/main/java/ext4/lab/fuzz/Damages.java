// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.format.fields.Field;
import ext4.lab.fuzz.Part.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Chooses changes from a seed. Each change depends on the seed and its place only, so that others can be left out. */
final class Damages {
    private static final int MOST = 4;

    /** How often a kind is chosen, relative to each other. */
    private static final Map<Kind, Integer> WEIGHTS = Map.ofEntries(
            Map.entry(Kind.SUPERBLOCK, 6),
            Map.entry(Kind.DESCRIPTOR, 5),
            Map.entry(Kind.BITMAP, 3),
            Map.entry(Kind.INODE, 14),
            Map.entry(Kind.EXTENTS, 14),
            Map.entry(Kind.BLOCK_MAP, 10),
            Map.entry(Kind.DIRECTORY, 12),
            Map.entry(Kind.INDEX, 12),
            Map.entry(Kind.XATTR, 12),
            Map.entry(Kind.ORPHANS, 5),
            Map.entry(Kind.JOURNAL, 5),
            Map.entry(Kind.LOG, 10));

    private final Base base;
    private final long seed;

    Damages(Base base, long seed) {
        this.base = base;
        this.seed = seed;
    }

    /** One to four changes, mostly one. */
    List<Mutation> choose() {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        int count = 1;
        while (count < MOST && random.nextInt(5) < 2) {
            count++;
        }
        List<Mutation> chosen = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            chosen.add(one(new Random(random.nextLong())));
        }
        return chosen;
    }

    private Mutation one(Random random) {
        Part part = part(random);
        boolean raw = random.nextInt(24) == 0;
        if (part.fields().isEmpty() || random.nextInt(12) == 0) {
            return deed(part, random, raw);
        }
        Field field = part.fields().get(random.nextInt(part.fields().size()));
        long now = field.get(base.image(), (int) part.pblk() * base.blockSize() + part.at());
        long value = now;
        for (int tries = 0; tries < 8 && value == now; tries++) {
            value = value(field, now, part, random) & field.mask();
        }
        return new Mutation(part.name(), field.name(), value, raw);
    }

    private Part part(Random random) {
        List<Kind> kinds = new ArrayList<>(base.byKind().keySet());
        int sum = kinds.stream().mapToInt(WEIGHTS::get).sum();
        int at = random.nextInt(sum);
        int i = 0;
        while (at >= WEIGHTS.get(kinds.get(i))) {
            at -= WEIGHTS.get(kinds.get(i++));
        }
        List<Part> parts = base.byKind().get(kinds.get(i));
        return parts.get(random.nextInt(parts.size()));
    }

    private Mutation deed(Part part, Random random, boolean raw) {
        long bits = part.kind() == Kind.BITMAP
                ? Math.min(8L * part.length(), base.superblock().blocksPerGroup())
                : 8L * part.length();
        return switch (random.nextInt(part.kind() == Kind.BITMAP ? 12 : 5)) {
            case 0 -> new Mutation(part.name(), Mutation.FILL, random.nextBoolean() ? 0 : 0xFF, raw);
            case 1 -> new Mutation(part.name(), Mutation.NOISE, random.nextInt(1 << 16), raw);
            case 2 -> new Mutation(part.name(), Mutation.COPY, existing(random), raw);
            default -> new Mutation(part.name(), Mutation.BIT, random.nextLong(bits), raw);
        };
    }

    private long existing(Random random) {
        long pblk = pick(base.blocks(), random);
        return pblk < base.superblock().blocksCount() ? pblk : 0;
    }

    private long value(Field field, long now, Part part, Random random) {
        if (random.nextInt(3) > 0) {
            switch (field.sort()) {
                case BLOCK -> {
                    return random.nextInt(4) == 0 ? part.pblk() : pick(base.blocks(), random);
                }
                case INODE -> {
                    return pick(base.inodes(), random);
                }
                case FLAGS -> {
                    return now ^ 1L << random.nextInt(8 * field.bytes());
                }
                case NUMBER -> {}
            }
        }
        return number(field, now, random);
    }

    private static long number(Field field, long now, Random random) {
        long half = field.mask() >>> 1;
        return switch (random.nextInt(14)) {
            case 0 -> 0;
            case 1 -> 1;
            case 2, 3 -> now + 1;
            case 4, 5 -> now - 1;
            case 6 -> field.mask();
            case 7 -> half + 1;
            case 8 -> half;
            case 9 -> now << 1;
            case 10 -> random.nextInt(64);
            case 11 -> random.nextInt(1 << 16);
            case 12 -> random.nextLong();
            default -> now ^ 1L << random.nextInt(8 * field.bytes());
        };
    }

    private static long pick(long[] numbers, Random random) {
        return numbers[random.nextInt(numbers.length)];
    }
}
