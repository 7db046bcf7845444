// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a workload did: the tree before it and after each operation, numbered from 0, where on the device's record each
 * began, and what was promised.
 */
public final class History {
    /** Instead of an inode: all of them. */
    private static final int ALL = 0;

    /**
     * An operation.
     *
     * @param begin events on the device's record before it
     * @param several an inode that it may change in more than one transaction, or 0
     */
    private record Operation(String text, int begin, int several) {}

    /**
     * A call returned that makes durable: in each state of at least {@code position} events the tree is one of number
     * {@code least} or later, and contents of {@code ino} are none of before number {@code content}.
     */
    private record Promise(int position, int least, int ino, int content) {}

    private final List<Snapshot> trees = new ArrayList<>();
    private final List<Operation> operations = new ArrayList<>();
    private final List<Promise> promises = new ArrayList<>();
    private final Map<Integer, Integer> touched = new HashMap<>();
    private final Map<Integer, Integer> mapped = new HashMap<>();

    History(Snapshot first) {
        trees.add(first);
    }

    void begins(String text, int position, int several) {
        operations.add(new Operation(text, position, several));
    }

    void ends(Snapshot tree) {
        Snapshot before = trees.getLast();
        tree.shareWith(before);
        trees.add(tree);
        int now = trees.size() - 1;
        before.entries().values().forEach(old -> {
            if (tree.ofIno(old.ino()) == null) {
                touched.put(old.ino(), now); // its data is as before
            }
        });
        for (Entry entry : tree.entries().values()) {
            Entry old = before.ofIno(entry.ino());
            if (old == null || !old.same(entry)) {
                touched.put(entry.ino(), now);
            }
            if (old == null || !old.sameFile(entry) || entry.isMappedOtherThan(old)) {
                mapped.put(entry.ino(), now);
            }
        }
    }

    /** fsync(2) or fdatasync(2) of an inode returned. */
    void synced(int ino, boolean dataOnly, int position) {
        int least = (dataOnly ? mapped : touched).getOrDefault(ino, 0);
        boolean there = trees.getLast().ofIno(ino) != null;
        promises.add(new Promise(position, least, ino, there ? last() : 0));
    }

    /** syncfs(2) returned. */
    void syncedAll(int position) {
        promises.add(new Promise(position, last(), ALL, last()));
    }

    int last() {
        return trees.size() - 1;
    }

    Snapshot tree(int number) {
        return trees.get(number);
    }

    /** The inode that operation {@code number}, which leads to that tree, may change in several steps, or 0. */
    int several(int number) {
        return operations.get(number - 1).several();
    }

    /** The last tree that may have been begun in a state of so many events. */
    int most(int position) {
        int most = 0;
        while (most < operations.size() && operations.get(most).begin() < position) {
            most++;
        }
        return most;
    }

    /** The first tree that is good after so many events. */
    int least(int position) {
        return promises.stream()
                .filter(promise -> promise.position() <= position)
                .mapToInt(Promise::least)
                .max()
                .orElse(0);
    }

    /** The first tree whose contents of an inode are good after so many events. */
    int content(int position, int ino) {
        return promises.stream()
                .filter(promise -> promise.position() <= position && (promise.ino() == ALL || promise.ino() == ino))
                .mapToInt(Promise::content)
                .max()
                .orElse(0);
    }

    /** Operations and promises. */
    public String describe(int position) {
        StringBuilder text = new StringBuilder();
        for (int i = Math.max(0, most(position) - 6); i < most(position); i++) {
            Operation each = operations.get(i);
            text.append("; ")
                    .append(i + 1)
                    .append(' ')
                    .append(each.text())
                    .append(" @")
                    .append(each.begin());
        }
        promises.stream()
                .filter(promise -> promise.position() <= position + 2)
                .skip(Math.max(0, promises.size() - 20))
                .forEach(promise -> text.append("; promised @")
                        .append(promise.position())
                        .append(" inode ")
                        .append(promise.ino())
                        .append(" operation ")
                        .append(promise.least()));
        return text.isEmpty() ? "no operation" : text.substring(2);
    }

    /** How many promises there are. */
    public int promises() {
        return promises.size();
    }
}
