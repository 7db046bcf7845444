// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import ext4.api.fs.Attributes;
import ext4.api.fs.DeviceException;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.FileSystem;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All that is in a filesystem. */
final class Tree {
    /** Where e2fsck puts what has lost its name. */
    private static final String LOST = "lost+found";

    private static final int ROOT = 2;
    private static final int TYPE = 0170000;
    private static final int DIRECTORY = 0040000;
    private static final int LINK = 0120000;
    private static final int MOST = 100_000;

    /** What stands under a name. */
    record Found(FileNode.Type type, int ino, byte[] content, byte[] attribute) {
        @Override
        public String toString() {
            return type + " " + ino + " of " + content.length + " bytes"
                    + (attribute == null ? "" : ", attribute of " + attribute.length);
        }
    }

    /** The extended attribute that the workload sets. */
    static final byte[] ATTRIBUTE = "user.note".getBytes(StandardCharsets.UTF_8);

    private final Map<String, Found> entries = new TreeMap<>();
    private final boolean names;

    private Tree(boolean names) {
        this.names = names;
    }

    /**
     * Reads everything.
     *
     * @param names whether names can be relied on; else a file may be in lost+found instead
     */
    static Tree read(FileSystem fs, boolean names) {
        Tree tree = new Tree(names);
        tree.directory(fs, ROOT, "");
        return tree;
    }

    private void directory(FileSystem fs, int ino, String path) {
        List<String> children = new ArrayList<>();
        fs.readdir(ino, 0, (cookie, child, mode, name, offset, length) -> {
            String text = new String(name, offset, length, StandardCharsets.UTF_8);
            if (!text.equals(".") && !text.equals("..")) {
                children.add(text);
            }
            return true;
        });
        if (entries.size() + children.size() > MOST) {
            throw new DeviceException("more than " + MOST + " names: a cycle of directories");
        }
        for (String child : children) {
            child(fs, ino, path.isEmpty() ? child : path + "/" + child, child);
        }
    }

    private void child(FileSystem fs, int parent, String path, String name) {
        Attributes a = new Attributes();
        fs.lookup(parent, name.getBytes(StandardCharsets.UTF_8), a);
        try {
            int ino = a.ino;
            switch (a.mode & TYPE) {
                case DIRECTORY -> {
                    entries.put(path, new Found(FileNode.Type.DIRECTORY, ino, new byte[0], attribute(fs, ino)));
                    directory(fs, ino, path);
                }
                case LINK -> entries.put(path, new Found(FileNode.Type.LINK, ino, fs.readlink(ino), null));
                default ->
                    entries.put(path, new Found(FileNode.Type.FILE, ino, content(fs, ino, a.size), attribute(fs, ino)));
            }
        } finally {
            fs.forget(a.ino, 1);
        }
    }

    /** A whole file. */
    static byte[] content(FileSystem fs, int ino, long size) {
        ByteBuffer content = ByteBuffer.allocate(Math.toIntExact(size));
        while (content.hasRemaining() && fs.read(ino, content.position(), content) > 0) {
            // until the end
        }
        return content.array();
    }

    /** The extended attribute, or null. */
    static byte[] attribute(FileSystem fs, int ino) {
        try {
            return fs.getxattr(ino, ATTRIBUTE);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENODATA) {
                return null;
            }
            throw e;
        }
    }

    /** Cuts files to a length: those inodes have no more than that. */
    void cut(Map<Integer, Long> lengths) {
        entries.replaceAll((path, found) -> {
            long length = lengths.getOrDefault(found.ino(), Long.MAX_VALUE);
            return length >= found.content().length
                    ? found
                    : new Found(
                            found.type(), found.ino(), Arrays.copyOf(found.content(), (int) length), found.attribute());
        });
    }

    /** As a model in which all this is durable. */
    Model model() {
        Model model = new Model();
        Map<Integer, FileNode> nodes = new TreeMap<>();
        entries.forEach((path, found) -> {
            if (!path.equals(LOST)) {
                model.set(
                        path,
                        nodes.computeIfAbsent(
                                found.ino(),
                                ino -> new FileNode(
                                        found.type(), ino, new FileNode.Version(found.content(), found.attribute()))));
            }
        });
        model.allDurable();
        return model;
    }

    /** What stands there, or null. */
    Found at(String path) {
        return entries.get(path);
    }

    /** Whether names can be relied on. */
    boolean namesCount() {
        return names;
    }

    /** Whether the name may be gone because names can't be relied on. */
    boolean excused(String path) {
        return !names && !path.equals(LOST);
    }

    /** Whether the file is there under some name. */
    boolean found(FileNode node) {
        return entries.values().stream()
                .anyMatch(
                        found -> node.is(found.type(), found.ino()) && node.allows(found.content(), found.attribute()));
    }
}
