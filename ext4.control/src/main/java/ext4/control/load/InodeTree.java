// SPDX-License-Identifier: Apache-2.0
package ext4.control.load;

import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.FileSystem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Below a directory of a mounted filesystem in this process. */
public final class InodeTree implements Tree {
    private static final int ROOT = 2;
    private static final int DIRECTORY_MODE = 0x41ED; // drwxr-xr-x
    private static final int FILE_MODE = 0x81A4; // -rw-r--r--

    private final FileSystem fs;
    private final int top;
    /** Inode numbers of the directories, each written and read by the thread that has the directory. */
    private final int[] directories = new int[1000];

    /** Makes the directory {@code name} in the root. */
    public InodeTree(FileSystem fs, String name) {
        this.fs = fs;
        Attributes made = new Attributes();
        fs.mkdir(Credentials.ROOT, ROOT, bytes(name), DIRECTORY_MODE, made);
        top = made.ino;
    }

    @Override
    public void makeDirectory(int dir) {
        Attributes made = new Attributes();
        fs.mkdir(Credentials.ROOT, top, bytes("d" + dir), DIRECTORY_MODE, made);
        directories[dir] = made.ino;
    }

    @Override
    public void create(int dir, int file) {
        Attributes made = new Attributes();
        fs.create(Credentials.ROOT, directories[dir], bytes("f" + file), FILE_MODE, made);
        fs.forget(made.ino, 1);
    }

    @Override
    public int find(int dir) {
        List<Integer> pinned = new ArrayList<>();
        long[] position = {0};
        for (long before = -1; position[0] != before; ) {
            before = position[0];
            fs.readdirplus(directories[dir], before, (cookie, entry, name, offset, length) -> {
                position[0] = cookie;
                if (name[offset] != '.') {
                    pinned.add(entry.ino);
                }
                return true;
            });
        }
        pinned.forEach(ino -> fs.forget(ino, 1));
        return pinned.size();
    }

    @Override
    public void remove(int dir, int file) {
        fs.unlink(Credentials.ROOT, directories[dir], bytes("f" + file));
    }

    @Override
    public void removeDirectory(int dir) {
        fs.rmdir(Credentials.ROOT, top, bytes("d" + dir));
        fs.forget(directories[dir], 1);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
