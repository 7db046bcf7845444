// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fault;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the workload made, and what of it may be found after a crash. Belongs to one thread. */
final class Model {
    /** A name: what it may stand for, null for nothing. The last is what it stands for now. */
    private static final class Name {
        final List<FileNode> states = new ArrayList<>();
        boolean unsure;
    }

    private final Map<String, Name> names = new TreeMap<>();

    /** The same, to be changed apart. */
    Model copy() {
        Model copy = new Model();
        Map<FileNode, FileNode> nodes = new IdentityHashMap<>();
        names.forEach((path, name) -> {
            Name twin = new Name();
            twin.unsure = name.unsure;
            for (FileNode state : name.states) {
                twin.states.add(state == null ? null : nodes.computeIfAbsent(state, FileNode::copy));
            }
            copy.names.put(path, twin);
        });
        return copy;
    }

    /** Paths that stand for something of these types now. */
    List<String> paths(FileNode.Type type) {
        List<String> found = new ArrayList<>();
        names.forEach((path, name) -> {
            FileNode now = name.states.getLast();
            if (now != null && now.type == type) {
                found.add(path);
            }
        });
        return found;
    }

    /** What the path stands for now, or null. */
    FileNode at(String path) {
        Name name = names.get(path);
        return name == null ? null : name.states.getLast();
    }

    /** Whether the path stands for something without any doubt. */
    boolean certain(String path) {
        Name name = names.get(path);
        return name != null && !name.unsure && name.states.getLast() != null;
    }

    /** Whether something stands below that directory. */
    boolean hasChildren(String directory) {
        return names.entrySet().stream()
                .anyMatch(e -> e.getKey().startsWith(directory + "/")
                        && e.getValue().states.getLast() != null);
    }

    /** Names that stand for it now. */
    int links(FileNode node) {
        return (int)
                names.values().stream().filter(n -> n.states.getLast() == node).count();
    }

    /** The name stands for {@code node} from now on, or for nothing. */
    void set(String path, FileNode node) {
        FileNode before = at(path);
        state(path).states.add(node);
        if (before != null && before != node && links(before) == 0) {
            before.mayVanish = true;
        }
    }

    /** A call failed that would have made the name stand for {@code node}, and may have. */
    void may(String path, FileNode node) {
        Name name = state(path);
        FileNode now = name.states.getLast();
        name.states.add(node);
        name.states.add(now);
        name.unsure = true;
        if (now != null) {
            now.mayVanish = true;
        }
    }

    private Name state(String path) {
        return names.computeIfAbsent(path, p -> {
            Name fresh = new Name();
            fresh.states.add(null);
            return fresh;
        });
    }

    /** Everything is durable as it is now. */
    void allDurable() {
        Set<FileNode> live = new HashSet<>();
        for (Name name : names.values()) {
            settle(name);
            if (name.states.getLast() != null) {
                live.add(name.states.getLast());
            }
        }
        live.forEach(node -> {
            node.durable();
            node.bound = true;
            node.mayVanish &= node.unsure;
        });
        names.values().removeIf(name -> !name.unsure && name.states.getLast() == null);
    }

    private static void settle(Name name) {
        if (name.unsure) {
            for (FileNode state : name.states) {
                if (state != null) {
                    state.unsure = true; // whether it has this name is not known
                }
            }
            return;
        }
        FileNode now = name.states.getLast();
        name.states.clear();
        name.states.add(now);
    }

    /** This one is durable as it is now, and so are its names. */
    void durable(FileNode node) {
        node.durable();
        boolean named = false;
        for (Name name : names.values()) {
            if (name.states.getLast() == node && !name.unsure) {
                settle(name);
                named = true;
            }
        }
        node.bound |= named && !node.unsure;
        node.mayVanish &= !named || node.unsure;
    }

    /** Looks whether all is there that must be. */
    List<String> missing(Tree tree) {
        List<String> complaints = new ArrayList<>();
        Set<FileNode> present = new HashSet<>();
        names.forEach((path, name) -> look(path, name, tree, present, complaints));
        Set<FileNode> looked = new HashSet<>();
        names.forEach((path, name) -> {
            for (FileNode node : name.states) {
                if (node != null && looked.add(node) && mustBe(node, tree) && !present.contains(node)) {
                    complaints.add(path + ": is under none of its names: " + node.describe());
                }
            }
        });
        return complaints;
    }

    private static boolean mustBe(FileNode node, Tree tree) {
        boolean bound = node.bound && !node.mayVanish;
        return bound && (tree.namesCount() || node.isSettled() && !tree.found(node));
    }

    private void look(String path, Name name, Tree tree, Set<FileNode> present, List<String> complaints) {
        Tree.Found found = tree.at(path);
        if (found == null) {
            boolean mayBeAbsent = name.states.contains(null);
            if (!mayBeAbsent && !tree.excused(path)) {
                complaints.add(
                        path + ": is missing, expected " + name.states.getLast().describe());
            }
            return;
        }
        StringBuilder expected = new StringBuilder();
        for (FileNode state : name.states) {
            if (state == null) {
                expected.append("nothing; ");
            } else if (state.is(found.type(), found.ino()) && state.allows(found.content(), found.attribute())) {
                present.add(state);
                return;
            } else {
                expected.append(state.describe()).append("; ");
            }
        }
        FileNode only = name.states.getFirst();
        if (tree.excused(path) && (name.states.size() > 1 || only == null || !only.isSettled())) {
            return; // a mixture of what was and what was being done
        }
        complaints.add(path + ": is " + found + ", expected " + expected);
    }
}
