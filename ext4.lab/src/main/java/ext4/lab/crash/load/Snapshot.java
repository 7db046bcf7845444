// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.load;

import ext4.api.fs.Attributes;
import ext4.api.fs.FileSystem;
import ext4.lab.stack.Paths;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A tree: all names and all about what they stand for. */
public final class Snapshot {
    /** Larger ones only fill the image. */
    private static final int LARGEST_CONTENT = 200_000;

    private static final int TYPE = 0170000;
    private static final int DIRECTORY = 0040000;
    private static final int REGULAR = 0100000;
    private static final int SYMLINK = 0120000;

    private final Map<String, Entry> entries = new TreeMap<>();
    private final Map<Integer, Entry> byIno = new HashMap<>();

    private Snapshot() {}

    /** Reads the tree of {@code fs}. */
    public static Snapshot of(FileSystem fs) {
        Snapshot tree = new Snapshot();
        tree.walk(fs, Paths.ROOT, "");
        return tree;
    }

    Map<String, Entry> entries() {
        return entries;
    }

    /** Null if no name stands for it. */
    Entry ofIno(int ino) {
        return byIno.get(ino);
    }

    /** Holds contents that did not change only once. */
    void shareWith(Snapshot before) {
        entries.replaceAll((path, entry) -> {
            Entry old = before.byIno.get(entry.ino());
            return old != null && Arrays.equals(old.content(), entry.content()) ? entry.sharing(old.content()) : entry;
        });
        entries.values().forEach(entry -> byIno.put(entry.ino(), entry));
    }

    private void walk(FileSystem fs, int ino, String path) {
        Attributes attributes = new Attributes();
        fs.getattr(ino, attributes);
        add(path.isEmpty() ? "/" : path, Entry.of(attributes, xattrs(fs, ino), null));
        for (byte[] name : names(fs, ino)) {
            String child = path + "/" + new String(name, StandardCharsets.UTF_8);
            fs.lookup(ino, name, attributes);
            int found = attributes.ino;
            try {
                if ((attributes.mode & TYPE) == DIRECTORY) {
                    walk(fs, found, child);
                } else {
                    add(child, leaf(fs, attributes));
                }
            } finally {
                fs.forget(found, 1);
            }
        }
    }

    private static Entry leaf(FileSystem fs, Attributes attributes) {
        int type = attributes.mode & TYPE;
        String more = xattrs(fs, attributes.ino);
        if (type == SYMLINK) {
            more += " -> " + new String(fs.readlink(attributes.ino), StandardCharsets.UTF_8);
        }
        boolean look = type == REGULAR && attributes.size <= LARGEST_CONTENT;
        return Entry.of(attributes, more, look ? read(fs, attributes.ino, (int) attributes.size) : null);
    }

    private void add(String path, Entry entry) {
        entries.put(path, entry);
        byIno.put(entry.ino(), entry);
    }

    private static byte[] read(FileSystem fs, int ino, int size) {
        ByteBuffer content = ByteBuffer.allocate(size);
        while (content.hasRemaining() && fs.read(ino, content.position(), content) > 0) {
            // until the end
        }
        return content.array();
    }

    private static List<byte[]> names(FileSystem fs, int ino) {
        List<byte[]> names = new ArrayList<>();
        fs.readdir(ino, 0, (cookie, child, mode, name, offset, length) -> {
            boolean dots = length <= 2 && name[offset] == '.' && name[offset + length - 1] == '.';
            if (!dots) {
                names.add(Arrays.copyOfRange(name, offset, offset + length));
            }
            return true;
        });
        return names;
    }

    private static String xattrs(FileSystem fs, int ino) {
        List<byte[]> names = fs.listxattr(ino);
        if (names.isEmpty()) {
            return "";
        }
        Map<String, String> values = new TreeMap<>();
        for (byte[] name : names) {
            values.put(
                    new String(name, StandardCharsets.UTF_8),
                    new String(fs.getxattr(ino, name), StandardCharsets.ISO_8859_1));
        }
        return values.toString();
    }
}
