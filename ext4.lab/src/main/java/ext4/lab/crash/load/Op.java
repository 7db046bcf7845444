// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.load;

import ext4.api.fs.FileSystem;

/**
 * The bounded set of operations: on two files in two directories, one of them in many pieces, with what stands there from
 * the beginning. The first step of a sequence makes new names in directory a, the second in b.
 */
public enum Op {
    CREATE(true) {
        @Override
        void run(World world, int step) {
            world.create(Ground.directory(step) + "/new" + step);
        }
    },
    LINK(true) {
        @Override
        void run(World world, int step) {
            world.link(Ground.first(world), Ground.other(Ground.first(world)) + "/link" + step);
        }
    },
    UNLINK(false) {
        @Override
        void run(World world, int step) {
            world.unlink(Ground.first(world), false);
        }
    },
    UNLINK_OPEN(true) {
        @Override
        void run(World world, int step) {
            world.unlink(Ground.second(world), true);
        }
    },
    RENAME(true) {
        @Override
        void run(World world, int step) {
            world.rename(Ground.first(world), Ground.other(Ground.first(world)) + "/moved" + step);
        }
    },
    REPLACE(true) {
        @Override
        void run(World world, int step) {
            world.rename(Ground.second(world), Ground.first(world));
        }
    },
    MKDIR(true) {
        @Override
        void run(World world, int step) {
            world.mkdir(Ground.directory(step) + "/made" + step);
        }
    },
    RMDIR(false) {
        @Override
        void run(World world, int step) {
            world.rmdir(Ground.directory(step) + "/empty");
        }
    },
    APPEND(true) {
        @Override
        void run(World world, int step) {
            String path = Ground.first(world);
            world.write(path, world.file(path).size(), 9_000);
        }
    },
    APPEND_IN_BLOCK(true) {
        @Override
        void run(World world, int step) {
            String path = Ground.second(world);
            world.write(path, world.file(path).size(), 90);
        }
    },
    OVERWRITE(true) {
        @Override
        void run(World world, int step) {
            world.write(Ground.first(world), 400, 2_200);
        }
    },
    SHRINK(true) {
        @Override
        void run(World world, int step) {
            world.truncate(Ground.first(world), 700);
        }
    },
    GROW(true) {
        @Override
        void run(World world, int step) {
            String path = Ground.second(world);
            world.truncate(path, world.file(path).size() + 3_000);
        }
    },
    PUNCH(true) {
        @Override
        void run(World world, int step) {
            int mode = FileSystem.FALLOC_PUNCH_HOLE | FileSystem.FALLOC_KEEP_SIZE;
            world.fallocate(Ground.first(world), mode, 600, 5_000);
        }
    },
    ZERO_RANGE(true) {
        @Override
        void run(World world, int step) {
            world.fallocate(Ground.first(world), FileSystem.FALLOC_ZERO_RANGE, 300, 3_000);
        }
    },
    FALLOCATE(true) {
        @Override
        void run(World world, int step) {
            world.fallocate(Ground.second(world), 0, 500, 7_000);
        }
    },
    XATTR(true) {
        @Override
        void run(World world, int step) {
            world.setxattr(Ground.first(world), "user.small", 20, (char) ('a' + step));
        }
    },
    XATTR_BLOCK(true) {
        @Override
        void run(World world, int step) {
            world.setxattr(Ground.first(world), "user.big", 500, (char) ('a' + step));
        }
    },
    XATTR_REMOVE(true) {
        @Override
        void run(World world, int step) {
            world.removexattr(Ground.second(world));
        }
    },
    SYMLINK(true) {
        @Override
        void run(World world, int step) {
            world.symlink(Ground.directory(step) + "/symlink" + step, 200);
        }
    },
    TMPFILE_LINK(true) {
        @Override
        void run(World world, int step) {
            world.tmpfile(Ground.directory(step) + "/tmp" + step, 3_000);
        }
    };

    private final boolean subject;

    Op(boolean subject) {
        this.subject = subject;
    }

    /** Whether what it was about can be synced afterwards. */
    public boolean hasSubject() {
        return subject;
    }

    /** @param step from 1 on */
    abstract void run(World world, int step);
}
