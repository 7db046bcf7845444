// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.lab.fuzz.Finding.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads everything: directories, attributes, contents, targets, extended attributes. */
final class Walk {
    static final int ROOT = 2;
    static final int S_IFMT = 0170000;
    static final int S_IFDIR = 0040000;
    static final int S_IFREG = 0100000;
    static final int S_IFLNK = 0120000;

    /** Bytes read of one file, from its beginning and from each of its pieces of data. */
    private static final int MOST_BYTES = 1 << 18;

    private static final int MOST_PIECES = 24;
    private static final int BATCH = 40;
    /** Names of a directory that are looked up; behind them one in some is. */
    private static final int ALL_OF = 40;

    private static final int ONE_IN = 10;

    /** A name that was found. */
    record Name(int parent, byte[] name, int ino, int mode) {}

    private final CoreFileSystem fs;
    private final Steps steps;
    private final int mostEntries;
    private final List<Name> names = new ArrayList<>();
    private final Set<Integer> seen = new HashSet<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);

    /** @param mostEntries names that a directory can have at most */
    Walk(CoreFileSystem fs, Steps steps, int mostEntries) {
        this.fs = fs;
        this.steps = steps;
        this.mostEntries = mostEntries;
    }

    /** All names but "." and "..". */
    List<Name> run() {
        ArrayDeque<Integer> todo = new ArrayDeque<>(List.of(ROOT));
        seen.add(ROOT);
        xattrs(ROOT);
        while (!todo.isEmpty() && names.size() < mostEntries) {
            int dir = todo.poll();
            List<Name> listed = list(dir);
            names.addAll(listed);
            for (int i = 0; i < listed.size(); i++) {
                if (i < ALL_OF || i % ONE_IN == 0) {
                    visit(listed.get(i), todo);
                }
            }
        }
        steps.run("statfs", fs::statfs);
        return names;
    }

    private List<Name> list(int dir) {
        List<Name> all = new ArrayList<>();
        long[] cookie = {0};
        int[] batch = {1};
        boolean ok = true;
        while (ok && batch[0] > 0) {
            batch[0] = 0;
            long before = cookie[0];
            ok = steps.run(
                    "readdir of inode " + dir,
                    () -> fs.readdir(dir, before, (next, ino, mode, name, off, len) -> {
                        if (batch[0] >= BATCH) {
                            return false;
                        }
                        batch[0]++;
                        cookie[0] = next;
                        byte[] copy = Arrays.copyOfRange(name, off, off + len);
                        if (!isDots(copy)) {
                            all.add(new Name(dir, copy, ino, mode));
                        }
                        return true;
                    }));
            if (all.size() > mostEntries || batch[0] > 0 && cookie[0] == before) {
                steps.found(Kind.HANG, "the listing of inode " + dir + " does not end: " + all.size() + " names");
                return all.subList(0, BATCH);
            }
        }
        return all;
    }

    private static boolean isDots(byte[] name) {
        return name.length > 0 && name.length < 3 && name[0] == '.' && name[name.length - 1] == '.';
    }

    /** Looks the name up and reads what it names, if it was not read before. */
    private void visit(Name name, ArrayDeque<Integer> todo) {
        Attributes found = new Attributes();
        if (steps.run("lookup in inode " + name.parent(), () -> fs.lookup(name.parent(), name.name(), found))) {
            if (seen.add(found.ino)) {
                inode(found.ino, todo);
            }
            steps.run("forget", () -> fs.forget(found.ino, 1));
        }
    }

    private void inode(int ino, ArrayDeque<Integer> todo) {
        Attributes a = new Attributes();
        if (!steps.run("getattr of inode " + ino, () -> fs.getattr(ino, a))) {
            return;
        }
        switch (a.mode & S_IFMT) {
            case S_IFDIR -> todo.add(ino);
            case S_IFREG -> content(ino, a.size);
            case S_IFLNK -> steps.run("readlink of inode " + ino, () -> fs.readlink(ino));
            default -> {}
        }
        xattrs(ino);
    }

    private void content(int ino, long size) {
        read(ino, 0, MOST_BYTES);
        if (size > 0) {
            read(ino, size - 1, 1);
        }
        long[] at = {0};
        boolean ok = true;
        for (int i = 0; i < MOST_PIECES && ok; i++) {
            long before = at[0];
            boolean hole = i % 2 == 1;
            ok = steps.run("seek in inode " + ino, () -> at[0] = fs.seek(ino, before, hole));
            if (ok && !hole) {
                read(ino, at[0], buffer.capacity());
            }
        }
    }

    private void read(int ino, long offset, int bytes) {
        for (long at = offset; at < offset + bytes; at += buffer.capacity()) {
            long from = at;
            int[] count = new int[1];
            buffer.clear().limit(Math.min(bytes, buffer.capacity()));
            boolean ok = steps.run("read of inode " + ino, () -> count[0] = fs.read(ino, from, buffer));
            if (!ok || count[0] < buffer.capacity()) {
                return;
            }
        }
    }

    private void xattrs(int ino) {
        List<byte[]> all = new ArrayList<>();
        steps.run("listxattr of inode " + ino, () -> all.addAll(fs.listxattr(ino)));
        for (byte[] name : all) {
            steps.run("getxattr of inode " + ino, () -> fs.getxattr(ino, name));
        }
    }
}
