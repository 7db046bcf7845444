// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Ext4Exception;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Walks a tree and counts as the kernel's was counted: directories, other entries, bytes of regular files, errors. */
final class TreeCount {
    private static final int MOST = 1500;
    private static final long MOST_BYTES = 64L << 20;

    private final CoreFileSystem fs;
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    private final Set<Integer> onWay = new HashSet<>();
    private int dirs;
    private int files;
    private long bytes;
    private int errors;
    private int entries;

    TreeCount(CoreFileSystem fs) {
        this.fs = fs;
    }

    /** The counts as text. */
    String run() {
        ArrayDeque<Integer> todo = new ArrayDeque<>(List.of(Walk.ROOT));
        while (!todo.isEmpty() && entries < MOST) {
            int dir = todo.poll();
            dirs++;
            for (Walk.Name entry : list(dir)) {
                if (entries++ >= MOST) {
                    break;
                }
                entry(entry, todo);
            }
        }
        String cut = entries >= MOST ? " (cut)" : "";
        return "dirs=" + dirs + " files=" + files + " bytes=" + bytes + " errs=" + errors + cut;
    }

    private List<Walk.Name> list(int dir) {
        List<Walk.Name> names = new ArrayList<>();
        try {
            fs.readdir(dir, 0, (cookie, ino, mode, name, off, length) -> {
                byte[] copy = Arrays.copyOfRange(name, off, off + length);
                String text = new String(copy, StandardCharsets.ISO_8859_1);
                if (!text.equals(".") && !text.equals("..")) {
                    names.add(new Walk.Name(dir, copy, ino, mode));
                }
                return names.size() <= MOST;
            });
        } catch (Ext4Exception e) {
            errors++;
        }
        return names;
    }

    /** What an entry says to be decides how it counts. */
    private void entry(Walk.Name entry, ArrayDeque<Integer> todo) {
        boolean directory = entry.mode() == Walk.S_IFDIR;
        Attributes found = new Attributes();
        try {
            fs.lookup(entry.parent(), entry.name(), found);
        } catch (Ext4Exception e) {
            errors++;
            dirs += directory ? 1 : 0;
            files += directory || entry.mode() == 0 ? 0 : 1; // neither if the entry doesn't tell
            return;
        }
        files += directory ? 0 : 1;
        try {
            if (directory && onWay.add(found.ino)) {
                todo.add(found.ino);
            } else if (directory) {
                dirs++;
                errors++;
            } else if ((found.mode & Walk.S_IFMT) == Walk.S_IFREG) {
                read(found.ino);
            }
        } finally {
            fs.forget(found.ino, 1);
        }
    }

    private void read(int ino) {
        try {
            int count = buffer.capacity();
            for (long at = 0; count == buffer.capacity() && at < MOST_BYTES; at += count) {
                buffer.clear();
                count = fs.read(ino, at, buffer);
                bytes += count;
            }
        } catch (Ext4Exception e) {
            errors++;
        }
    }
}
