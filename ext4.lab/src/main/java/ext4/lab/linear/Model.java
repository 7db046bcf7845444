// SPDX-License-Identifier: Apache-2.0
package ext4.lab.linear;

import ext4.api.fs.Errno;
import ext4.api.fs.FileSystem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** A namespace as the man pages describe it, without any concurrency. Inodes are never freed, so a number is one inode. */
final class Model {
    /** Directories by inode, with what is in them. */
    private final Map<Integer, TreeMap<String, Integer>> directories = new HashMap<>();
    /** Directories that were removed. */
    private final Set<Integer> removed = new HashSet<>();
    /** Links of files. */
    private final Map<Integer, Integer> links = new HashMap<>();

    Model() {}

    private Model(Model of) {
        of.directories.forEach((ino, entries) -> directories.put(ino, new TreeMap<>(entries)));
        removed.addAll(of.removed);
        links.putAll(of.links);
    }

    Model copy() {
        return new Model(this);
    }

    /** A directory that is there from the beginning and has no name of its own here. */
    void root(int ino) {
        directories.put(ino, new TreeMap<>());
    }

    /** Does it, if what it gave can be what is right now; else false, and this model is of no use any more. */
    boolean step(Op op) {
        Errno expected = check(op);
        if (op.error != expected) {
            return false;
        }
        return expected != null || apply(op);
    }

    private Errno check(Op op) {
        return switch (op.kind) {
            case CREATE, MKDIR, LINK ->
                gone(op.parent) ? Errno.ENOENT : entry(op.parent, op.name) != 0 ? Errno.EEXIST : null;
            case UNLINK -> remove(op, false);
            case RMDIR -> remove(op, true);
            case LOOKUP -> gone(op.parent) || entry(op.parent, op.name) == 0 ? Errno.ENOENT : null;
            case READDIR -> gone(op.parent) ? Errno.ENOENT : null;
            case STAT -> null;
            case RENAME -> rename(op);
        };
    }

    private Errno remove(Op op, boolean directory) {
        int child = gone(op.parent) ? 0 : entry(op.parent, op.name);
        if (child == 0) {
            return Errno.ENOENT;
        }
        if (isDirectory(child) != directory) {
            return directory ? Errno.ENOTDIR : Errno.EISDIR;
        }
        return directory && !directories.get(child).isEmpty() ? Errno.ENOTEMPTY : null;
    }

    private Errno rename(Op op) {
        int from = gone(op.parent) || gone(op.other) ? 0 : entry(op.parent, op.name);
        boolean exchange = op.flags == FileSystem.RENAME_EXCHANGE;
        int to = from == 0 ? 0 : entry(op.other, op.newName);
        if (from == 0 || exchange && to == 0) {
            return Errno.ENOENT;
        }
        if (op.flags == FileSystem.RENAME_NOREPLACE && to != 0) {
            return Errno.EEXIST;
        }
        boolean shape = op.parent != op.other && (isDirectory(from) || to != 0 && isDirectory(to));
        if (shape && isDirectory(from) && isBelow(op.other, from)) {
            return Errno.EINVAL;
        }
        if (shape && to != 0 && isDirectory(to) && isBelow(op.parent, to)) {
            return exchange ? Errno.EINVAL : Errno.ENOTEMPTY;
        }
        return from == to || to == 0 || exchange ? null : replace(from, to);
    }

    private Errno replace(int from, int to) {
        if (isDirectory(from)) {
            if (!isDirectory(to)) {
                return Errno.ENOTDIR;
            }
            return directories.get(to).isEmpty() ? null : Errno.ENOTEMPTY;
        }
        return isDirectory(to) ? Errno.EISDIR : null;
    }

    private boolean apply(Op op) {
        switch (op.kind) {
            case CREATE -> {
                return isNew(op.ino) && put(op.parent, op.name, op.ino) && links.put(op.ino, 1) == null;
            }
            case MKDIR -> {
                return isNew(op.ino)
                        && put(op.parent, op.name, op.ino)
                        && directories.put(op.ino, new TreeMap<>()) == null;
            }
            case LINK -> {
                return put(op.parent, op.name, op.other) && links.merge(op.other, 1, Integer::sum) == op.links;
            }
            case UNLINK -> links.merge(directories.get(op.parent).remove(op.name), -1, Integer::sum);
            case RMDIR -> removed.add(directories.get(op.parent).remove(op.name));
            case RENAME -> move(op);
            case LOOKUP -> {
                return entry(op.parent, op.name) == op.ino;
            }
            case READDIR -> {
                return listing(op.parent).equals(op.listed);
            }
            case STAT -> {
                return linksOf(op.parent) == op.links;
            }
        }
        return true;
    }

    private void move(Op op) {
        int from = entry(op.parent, op.name);
        int to = entry(op.other, op.newName);
        if (from == to) {
            return;
        }
        put(op.other, op.newName, from);
        if (op.flags == FileSystem.RENAME_EXCHANGE) {
            put(op.parent, op.name, to);
            return;
        }
        directories.get(op.parent).remove(op.name);
        if (to != 0 && isDirectory(to)) {
            removed.add(to);
        } else if (to != 0) {
            links.merge(to, -1, Integer::sum);
        }
    }

    private boolean isNew(int ino) {
        return !links.containsKey(ino) && !directories.containsKey(ino);
    }

    private boolean put(int directory, String name, int ino) {
        directories.get(directory).put(name, ino);
        return true;
    }

    private boolean gone(int directory) {
        return removed.contains(directory);
    }

    private boolean isDirectory(int ino) {
        return directories.containsKey(ino);
    }

    private int entry(int directory, String name) {
        return directories.get(directory).getOrDefault(name, 0);
    }

    /** Whether {@code ino} is {@code top} or in it, at any depth. */
    private boolean isBelow(int ino, int top) {
        return ino == top
                || directories.get(top).values().stream().anyMatch(child -> isDirectory(child) && isBelow(ino, child));
    }

    private int linksOf(int ino) {
        if (!isDirectory(ino)) {
            return links.get(ino);
        }
        return gone(ino)
                ? 0
                : 2
                        + (int) directories.get(ino).values().stream()
                                .filter(this::isDirectory)
                                .count();
    }

    private List<String> listing(int directory) {
        List<String> all = new ArrayList<>();
        directories.get(directory).forEach((name, ino) -> all.add(name + "=" + ino));
        return all;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Model that
                && directories.equals(that.directories)
                && removed.equals(that.removed)
                && links.equals(that.links);
    }

    @Override
    public int hashCode() {
        return Objects.hash(directories, removed, links);
    }

    @Override
    public String toString() {
        return directories + " removed " + removed + " links " + links;
    }
}
