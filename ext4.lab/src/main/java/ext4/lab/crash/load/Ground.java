// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.load;

import ext4.lab.stack.Paths;

/** What stands on the filesystem when the sequences begin, in the log and in no other place. */
final class Ground {
    private static final int PIECES = 6;

    private Ground() {}

    /** Two directories, a file in pieces in one and one with a block of xattrs in the other, and an orphan. */
    static void lay(World world) {
        world.mkdir("a");
        world.mkdir("b");
        world.create("a/first");
        for (int i = 0; i < PIECES; i++) {
            world.write("a/first", i * 2048, 1024);
        }
        world.create("b/second");
        world.write("b/second", 0, 1_500);
        world.setxattr("b/second", "user.big", 500, 'x');
        world.mkdir("a/empty");
        world.mkdir("b/empty");
        world.symlink("b/symlink", 100);
        world.create("a/third");
        world.write("a/third", 0, 1_000);
        world.create("b/gone");
        world.write("b/gone", 0, 2_000);
        world.unlink("b/gone", true);
        world.sync();
    }

    /** The file in pieces, or another one if it is gone. */
    static String first(World world) {
        return firstThere(world, 0, 2, 1);
    }

    /** The file with a block of xattrs, or another one if it is gone. */
    static String second(World world) {
        return firstThere(world, 1, 2, 0);
    }

    private static String firstThere(World world, int... files) {
        for (int file : files) {
            String path = world.pathOf(file);
            if (path != null) {
                return path;
            }
        }
        throw new IllegalStateException("a sequence took all files away");
    }

    static String directory(int step) {
        return step % 2 == 1 ? "a" : "b";
    }

    static String other(String path) {
        return Paths.parentOf(path).equals("a") ? "b" : "a";
    }
}
