// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.load;

import ext4.api.fs.FileSystem;
import java.util.List;
import java.util.Random;

/**
 * A seeded mix: files that are open and have no name, truncates over several transactions, inode numbers used again within
 * one, directories that come and go, links, xattrs, holes.
 */
final class Mixed {
    private static final int MOST_FILES = 14;

    private final World world;
    private final Random random;
    private int names;

    Mixed(World world, long seed) {
        this.world = world;
        random = new Random(seed);
    }

    void step() {
        switch (random.nextInt(20)) {
            case 0, 1, 2 -> createAndWrite();
            case 3, 4 -> write();
            case 5, 6 -> world.truncate(any(), random.nextInt(9_000));
            case 7 -> unlink(false);
            case 8, 9 -> unlink(true);
            case 10 -> close();
            case 11 -> rename();
            case 12 -> world.tmpfile(random.nextBoolean() ? fresh() : null, 1 + random.nextInt(4_000));
            case 13 -> reuseNumbers();
            case 14 -> directoryComesAndGoes();
            case 15 -> pieces();
            case 16 -> xattr();
            case 17 -> link();
            case 18 -> range();
            default -> world.sync();
        }
        switch (random.nextInt(5)) {
            case 0 -> world.syncSubject(random.nextBoolean());
            case 1 -> world.syncDirectory();
            default -> {}
        }
    }

    private String directory() {
        return random.nextBoolean() ? "a" : "b";
    }

    private String fresh() {
        return directory() + "/" + "f".repeat(1 + random.nextInt(40)) + names++;
    }

    private String any() {
        List<String> all = world.files(); // never empty: nothing here takes the last one away
        return all.get(random.nextInt(all.size()));
    }

    private void createAndWrite() {
        while (world.files().size() >= MOST_FILES) {
            unlink(false);
        }
        String path = fresh();
        world.create(path);
        if (world.file(path) != null) {
            world.write(path, 0, 1 + random.nextInt(7_000));
        }
    }

    private void write() {
        String path = any();
        world.write(path, random.nextInt(world.file(path).size() + 2_000), 1 + random.nextInt(5_000));
    }

    private void unlink(boolean open) {
        if (world.files().size() > 1) {
            world.unlink(any(), open);
        }
    }

    private void close() {
        if (world.heldFiles() > 0) {
            world.closeHeld();
        }
    }

    private void rename() {
        String from = any();
        String to = any();
        if (from.equals(to) || world.file(from) == world.file(to)) {
            world.rename(from, fresh());
        } else if (random.nextInt(3) == 0) {
            world.exchange(from, to);
        } else {
            world.rename(from, random.nextBoolean() ? to : fresh());
        }
    }

    /** The number of a removed file is normally the next to be given out, in the same transaction. */
    private void reuseNumbers() {
        String where = directory();
        for (int i = 0; i < 3; i++) {
            String path = where + "/reused" + names++;
            world.create(path);
            if (world.file(path) != null) {
                world.write(path, 0, 1 + random.nextInt(3_000));
                world.unlink(path, random.nextInt(4) == 0);
            }
        }
    }

    private void directoryComesAndGoes() {
        String path = directory() + "/sub" + names++;
        world.mkdir(path);
        String inside = path + "/x";
        if (world.made()) {
            world.create(inside);
            if (world.file(inside) != null) {
                world.unlink(inside, false);
            }
            world.rmdir(path);
        }
    }

    /** A file in many pieces, so that cutting it takes many steps. */
    private void pieces() {
        String path = fresh();
        world.create(path);
        if (world.file(path) == null) {
            return;
        }
        int pieces = 5 + random.nextInt(15);
        for (int i = 0; i < pieces; i++) {
            world.write(path, i * 2048, 1024);
        }
        world.truncate(path, random.nextInt(pieces * 2048));
    }

    private void xattr() {
        if (random.nextInt(3) == 0) {
            world.removexattr(any());
        } else {
            boolean big = random.nextBoolean();
            char fill = (char) ('a' + random.nextInt(26));
            world.setxattr(
                    any(), big ? "user.big" : "user.x" + random.nextInt(2), 1 + random.nextInt(big ? 500 : 30), fill);
        }
    }

    private void link() {
        if (random.nextBoolean()) {
            world.symlink(directory() + "/sym" + names++, 1 + random.nextInt(300));
        } else if (world.files().size() < MOST_FILES) {
            world.link(any(), fresh());
        }
    }

    private void range() {
        String path = any();
        int mode = switch (random.nextInt(3)) {
            case 0 -> FileSystem.FALLOC_PUNCH_HOLE | FileSystem.FALLOC_KEEP_SIZE;
            case 1 -> FileSystem.FALLOC_ZERO_RANGE | FileSystem.FALLOC_KEEP_SIZE;
            default -> random.nextBoolean() ? 0 : FileSystem.FALLOC_KEEP_SIZE;
        };
        world.fallocate(path, mode, random.nextInt(world.file(path).size() + 1), 1 + random.nextInt(6_000));
    }
}
