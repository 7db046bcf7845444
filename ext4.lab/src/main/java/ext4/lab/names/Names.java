// SPDX-License-Identifier: Apache-2.0
package ext4.lab.names;

import ext4.api.fs.Errno;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;

/** The tree as it must be. */
final class Names {
    private static final int NAMES = 26;
    private static final int MANY = 250;
    private static final int FAR_DOWN = 6;

    final Node root = new Node(Node.DIRECTORY, 0700);
    private final String path;
    private final Random random;
    private final List<Node> directories = new ArrayList<>();
    /** Names in the whole tree. */
    private int count;

    Names(String path, Random random) {
        this.path = path;
        this.random = random;
        root.links = 1;
        directories.add(root);
    }

    /** Whether it is time to remove rather than to add. */
    boolean full() {
        return count > MANY;
    }

    String path(Node directory) {
        return directory == root ? path : path(directory.parent) + "/" + directory.name;
    }

    Node anyDirectory() {
        return directories.get(random.nextInt(directories.size()));
    }

    /** A directory in which another one may be made. */
    private static boolean tooDeep(Node directory) {
        int depth = 0;
        for (Node at = directory; at.parent != null; at = at.parent) {
            depth++;
        }
        return depth >= FAR_DOWN;
    }

    /** Somewhere, now and then where no way leads. */
    Place anywhere() {
        Node directory = anyDirectory();
        int kind = random.nextInt(40);
        String name = name();
        if (kind == 0) {
            return new Place(null, name, path(directory) + "/nowhere/" + name, Errno.ENOENT.number());
        }
        if (kind == 1) {
            for (Map.Entry<String, Node> child : directory.children.entrySet()) {
                if (!child.getValue().isDirectory()) {
                    // a symbolic link is followed, and what it names is not there
                    Errno error = child.getValue().type == Node.LINK ? Errno.ENOENT : Errno.ENOTDIR;
                    return new Place(null, name, path(directory) + "/" + child.getKey() + "/" + name, error.number());
                }
            }
        }
        return place(directory, name);
    }

    private Place place(Node directory, String name) {
        return new Place(directory, name, path(directory) + "/" + name, 0);
    }

    /** Where a directory can be made without the tree growing ever deeper. */
    Place forDirectory() {
        Place place = anywhere();
        return place.directory() != null && tooDeep(place.directory()) ? place(root, place.name()) : place;
    }

    /** A place where something is if there is anything, else anywhere. */
    Place existing() {
        for (int i = 0; i < 5; i++) {
            Node directory = anyDirectory();
            if (!directory.children.isEmpty()) {
                List<String> names = List.copyOf(directory.children.keySet());
                return place(directory, names.get(random.nextInt(names.size())));
            }
        }
        return anywhere();
    }

    /** Mostly something that is there. */
    Place likely() {
        return random.nextInt(8) == 0 ? anywhere() : existing();
    }

    private String name() {
        int kind = random.nextInt(60);
        if (kind == 0) {
            return "x".repeat(256);
        }
        return kind < 4
                ? "long" + "y".repeat(190 + random.nextInt(60)) + random.nextInt(3)
                : "n" + random.nextInt(NAMES);
    }

    void put(Place place, Node node) {
        if (place.directory().children.put(place.name(), node) == null) {
            count++;
        }
        place.directory().modified();
        if (node.isDirectory()) {
            node.parent = place.directory();
            node.name = place.name();
        }
    }

    void add(Place place, Node node) {
        put(place, node);
        node.links++;
        if (node.isDirectory()) {
            directories.add(node);
        }
    }

    void remove(Place place) {
        Node node = place.directory().children.remove(place.name());
        count--;
        place.directory().modified();
        gone(node);
    }

    private void gone(Node node) {
        node.links--;
        if (node.isDirectory()) {
            directories.remove(node);
            node.parent = null;
        }
    }

    /** rename(2), which succeeds. */
    void rename(Place from, Place to) {
        Node moved = from.node();
        Node replaced = to.node();
        if (moved == replaced) {
            return;
        }
        from.directory().children.remove(from.name());
        from.directory().modified();
        count--;
        if (replaced != null) {
            gone(replaced);
        }
        put(to, moved);
        if (moved.isDirectory()) {
            moved.modified(); // its .. may be another one
        }
    }

    /** renameat2(2) with RENAME_EXCHANGE, which succeeds. */
    void exchange(Place from, Place to) {
        Node one = from.node();
        Node other = to.node();
        if (one != other) {
            put(to, one);
            put(from, other);
            one.modified();
            other.modified();
        }
    }

    void forEach(BiConsumer<String, Node> each) {
        for (Node directory : directories) {
            String at = path(directory);
            each.accept(at, directory);
            directory.children.forEach((name, child) -> {
                if (!child.isDirectory()) {
                    each.accept(at + "/" + name, child);
                }
            });
        }
    }
}
