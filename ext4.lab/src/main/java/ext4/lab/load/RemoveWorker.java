// SPDX-License-Identifier: Apache-2.0
package ext4.lab.load;

import ext4.sys.TreeCalls;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;

/** Makes trees of many files and removes them as {@code rm -rf} does, by what their directories list. */
final class RemoveWorker implements Worker {
    private static final int FOLDERS = 13;
    private static final int FAN = 3;
    private static final int FILES = 40;

    private final Hands hands;
    private final String directory;
    private final Random random;
    /** Directories that are there, parents before their children. */
    private final List<String> folders = new ArrayList<>();
    /** Names of files in each. */
    private final List<List<String>> files = new ArrayList<>();

    private int tree;
    private boolean removing;

    RemoveWorker(Hands hands, String directory, long seed) {
        this.hands = hands;
        this.directory = directory;
        random = new Random(seed);
    }

    @Override
    public void begin() {
        hands.must("mkdir", directory, hands.calls.mkdir(Hands.HERE, Hands.bytes(directory), 0700));
    }

    @Override
    public void step() {
        if (removing) {
            removeLast();
        } else {
            addFolder();
        }
        if (folders.isEmpty()) {
            removing = false;
            tree++;
        } else if (folders.size() == FOLDERS) {
            removing = true;
        }
    }

    private void addFolder() {
        int at = folders.size();
        String path = at == 0 ? directory + "/tree" + tree : folders.get((at - 1) / FAN) + "/d" + at;
        hands.must("mkdir", path, hands.calls.mkdir(Hands.HERE, Hands.bytes(path), 0700));
        folders.add(path);
        List<String> names = new ArrayList<>();
        files.add(names);
        for (int i = 0; i < FILES; i++) {
            String name = "file" + random.nextInt(1 << 30) + "." + i;
            String file = path + "/" + name;
            int fd = hands.open(file, TreeCalls.O_WRONLY | TreeCalls.O_CREAT | TreeCalls.O_EXCL, 0600);
            hands.close(file, fd);
            names.add(name);
        }
    }

    private void removeLast() {
        String path = folders.getLast();
        List<String> listed = hands.list(path);
        Collections.sort(listed);
        List<String> made = files.getLast();
        Collections.sort(made);
        if (!listed.equals(made)) {
            throw hands.failed("getdents", path, listed.size() + " names: " + listed, made.size() + " names: " + made);
        }
        for (String name : listed) {
            String file = path + "/" + name;
            hands.must("unlink", file, hands.calls.unlink(Hands.HERE, Hands.bytes(file), 0));
        }
        made.clear();
        hands.must("rmdir", path, hands.calls.unlink(Hands.HERE, Hands.bytes(path), TreeCalls.AT_REMOVEDIR));
        folders.removeLast();
        files.removeLast();
    }

    @Override
    public void expectations(BiConsumer<String, String> each) {
        each.accept(
                directory,
                new Description(040700, 0, 0)
                        .links(folders.isEmpty() ? 2 : 3)
                        .entries(folders.isEmpty() ? List.of() : List.of("tree" + tree))
                        .toString());
        for (int i = 0; i < folders.size(); i++) {
            List<String> names = new ArrayList<>(files.get(i));
            int children = 0;
            for (int child = i * FAN + 1; child <= i * FAN + FAN && child < folders.size(); child++) {
                names.add("d" + child);
                children++;
            }
            each.accept(
                    folders.get(i),
                    new Description(040700, 0, 0)
                            .links(2 + children)
                            .entries(names)
                            .toString());
        }
    }

    @Override
    public void end() {}
}
