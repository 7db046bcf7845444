// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.Ext4Exception;
import ext4.lab.fault.FileNode.Type;
import ext4.lab.fault.FileNode.Version;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The mixed workload: seeded steps, each a few calls, and what may be found afterwards, written into a {@link Model}. What a
 * step does depends on its number, the seed and the model, not on time. Belongs to one thread.
 */
final class Load {
    static final int ROOT = 2;
    private static final List<String> DIRECTORIES = List.of("", "d0", "d1", "d2");
    private static final int NAMES = 40;
    private static final String LONG = "-" + "n".repeat(60);
    /** What leaves the names as they were. */
    private static final Set<Errno> CLEAN = EnumSet.of(
            Errno.ENOENT,
            Errno.EEXIST,
            Errno.ENOTEMPTY,
            Errno.ENOTDIR,
            Errno.EISDIR,
            Errno.ENOSPC,
            Errno.EROFS,
            Errno.ESTALE,
            Errno.EINVAL,
            Errno.EMLINK);

    final CoreFileSystem fs;
    final Model model;
    final List<String> complaints = new ArrayList<>();
    /** Inodes that are pinned to the end or to a step that lets go. */
    private final List<Integer> pinned = new ArrayList<>();

    private final NameSteps names;
    private final ContentSteps contents;
    private final long seed;
    Random random;

    Load(CoreFileSystem fs, Model model, long seed) {
        this.fs = fs;
        this.model = model;
        this.seed = seed;
        names = new NameSteps(this);
        contents = new ContentSteps(this);
    }

    /** Does steps 0 to {@code count} - 1. */
    void run(int count) {
        for (int i = 0; i < count; i++) {
            random = new Random(seed * 1_000_003 + i);
            random.nextInt();
            try {
                step(random.nextInt(100));
            } catch (Ext4Exception e) {
                // a look at the tree before the call failed: nothing was asked for
            }
        }
    }

    private void step(int pick) {
        if (pick < 45) {
            names.step(pick);
        } else if (pick < 78) {
            contents.step(pick - 45);
        } else if (pick < 86) {
            fsync();
        } else if (pick < 90) {
            syncfs();
        } else if (pick < 95) {
            check();
        } else if (pick < 97) {
            fs.readdir(ROOT, 0, (cookie, ino, mode, name, offset, length) -> true);
        } else {
            letGo();
        }
    }

    private void fsync() {
        String path = anyPath(Type.FILE);
        if (path == null) {
            return;
        }
        FileNode node = model.at(path);
        boolean stopped = fs.readOnly();
        withInode(path, ino -> {
            if (attempt(() -> fs.fsync(ino, random.nextInt(4) == 0))) {
                acknowledged("fsync", stopped);
                model.durable(node);
            }
        });
    }

    private void syncfs() {
        boolean stopped = fs.readOnly();
        if (attempt(fs::syncfs)) {
            acknowledged("syncfs", stopped);
            model.allDurable();
        }
    }

    private void acknowledged(String call, boolean stopped) {
        if (stopped) {
            complaints.add(call + " returned 0 although changes are refused");
        }
    }

    /** Reads a file: what comes is right, or an error. */
    private void check() {
        String path = anyPath(Type.FILE);
        if (path == null) {
            return;
        }
        FileNode node = model.at(path);
        withInode(path, ino -> {
            Attributes a = new Attributes();
            fs.getattr(ino, a);
            byte[] content = Tree.content(fs, ino, a.size);
            if (!node.allows(content, Tree.attribute(fs, ino)) && !fs.readOnly()) {
                complaints.add(path + ": reads as other than " + node.describe());
            }
        });
    }

    private void letGo() {
        if (!pinned.isEmpty()) {
            fs.forget(pinned.removeLast(), 1);
        }
    }

    /** Lets go what is pinned; the unmount frees it otherwise. */
    void keepPinned(int ino) {
        pinned.add(ino);
    }

    /** Whether the call succeeded. One that failed and may have done something is {@code unsure}. */
    boolean attempt(Runnable call, Runnable unsure) {
        try {
            call.run();
            return true;
        } catch (ErrnoException e) {
            if (!CLEAN.contains(e.errno())) {
                unsure.run();
            }
        } catch (Ext4Exception e) {
            unsure.run();
        }
        return false;
    }

    /** As the other one, for a call whose failure changes nothing. */
    boolean attempt(Runnable call) {
        return attempt(call, () -> {});
    }

    /** A path at which something of the type stands, or null. */
    String anyPath(Type type) {
        List<String> paths = model.paths(type);
        return paths.isEmpty() ? null : paths.get(random.nextInt(paths.size()));
    }

    /** A path that may stand for something or not. */
    String somePath() {
        String directory = DIRECTORIES.get(random.nextInt(DIRECTORIES.size()));
        if (!directory.isEmpty() && model.at(directory) == null) {
            directory = "";
        }
        int number = random.nextInt(NAMES);
        String name = "f" + number + (number % 3 == 0 ? LONG : "");
        return directory.isEmpty() ? name : directory + "/" + name;
    }

    /** One of the directories that there may be. */
    String someDirectory() {
        return DIRECTORIES.get(1 + random.nextInt(DIRECTORIES.size() - 1));
    }

    byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    static byte[] name(String path) {
        return path.substring(path.lastIndexOf('/') + 1).getBytes(StandardCharsets.UTF_8);
    }

    /** What a call does with an inode. */
    @FunctionalInterface
    interface WithInode {
        void run(int ino);
    }

    /** Runs it on the parent of a path. */
    void withParent(String path, WithInode work) {
        int slash = path.lastIndexOf('/');
        if (slash < 0) {
            work.run(ROOT);
        } else {
            withInode(path.substring(0, slash), work);
        }
    }

    /** Runs it on what stands at a path of at most two names. */
    void withInode(String path, WithInode work) {
        withParent(path, parent -> {
            Attributes found = new Attributes();
            try {
                fs.lookup(parent, name(path), found);
            } catch (ErrnoException e) {
                if (e.errno() == Errno.ENOENT && model.certain(path) && !fs.readOnly()) {
                    complaints.add(path + ": is gone while mounted");
                }
                throw e;
            }
            try {
                work.run(found.ino);
            } finally {
                fs.forget(found.ino, 1);
            }
        });
    }

    /** A file of these bytes and no attribute. */
    static Version version(byte[] content) {
        return new Version(content, null);
    }
}
