// SPDX-License-Identifier: Apache-2.0
package ext4.lab.diff;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Which names there are, roughly: learnt from what the kernel answered. It only makes the steps worth while. */
final class Shape {
    /** What a name stands for. */
    enum Kind {
        FILE,
        DIRECTORY,
        SYMLINK,
        OTHER
    }

    private final TreeMap<String, Kind> names = new TreeMap<>();
    private final boolean[] open = new boolean[Calls.SLOTS];
    private final List<Step> many = new ArrayList<>();

    int size() {
        return names.size();
    }

    boolean isOpen(int slot) {
        return open[slot];
    }

    /** A name of that kind, or null. */
    String any(Random random, Kind kind) {
        List<String> all = new ArrayList<>();
        names.forEach((path, k) -> {
            if (kind == null || k == kind) {
                all.add(path);
            }
        });
        return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    /** A directory, the root as "". */
    String directory(Random random) {
        String found = random.nextInt(4) == 0 ? null : any(random, Kind.DIRECTORY);
        return found == null ? "" : found;
    }

    /** A step that made many files which are there still, or null. */
    Step takeMany(Random random) {
        return many.isEmpty() ? null : many.remove(random.nextInt(many.size()));
    }

    /** The kernel did this. */
    void learn(Step s, String answer) {
        switch (s.verb()) {
            case MANY -> many.add(s);
            case CHECK -> java.util.Arrays.fill(open, false);
            case CLOSE -> open[s.small(0)] = false;
            default -> {
                if (answer.equals("0")) {
                    done(s);
                }
            }
        }
    }

    private void done(Step s) {
        switch (s.verb()) {
            case MKDIR -> names.put(s.text(0), Kind.DIRECTORY);
            case MKNOD -> names.put(s.text(0), (s.small(1) & 0170000) == 0100000 ? Kind.FILE : Kind.OTHER);
            case SYMLINK -> names.put(s.text(0), Kind.SYMLINK);
            case LINK -> put(s.text(1), names.get(s.text(0)));
            case UNLINK, RMDIR -> names.remove(s.text(0));
            case CREATE -> {
                names.put(s.text(1), Kind.FILE);
                open[s.small(0)] = true;
            }
            case OPEN, TMPFILE -> open[s.small(0)] = true;
            case LINKOPEN -> names.put(s.text(1), Kind.FILE);
            case RENAME -> rename(s.text(0), s.text(1), s.small(2) == 2);
            default -> {
                // nothing changes its place
            }
        }
    }

    private void put(String path, Kind kind) {
        if (kind != null) {
            names.put(path, kind);
        }
    }

    private void rename(String from, String to, boolean exchange) {
        if (from.equals(to)) {
            return;
        }
        Map<String, Kind> moved = take(from, to);
        Map<String, Kind> back = exchange ? take(to, from) : Map.of();
        if (!exchange) {
            names.remove(to);
        }
        names.putAll(moved);
        names.putAll(back);
    }

    private Map<String, Kind> take(String from, String to) {
        Map<String, Kind> moved = new TreeMap<>();
        for (String path :
                List.copyOf(names.subMap(from, true, from + "0", false).keySet())) {
            if (path.equals(from) || path.startsWith(from + "/")) {
                moved.put(to + path.substring(from.length()), names.remove(path));
            }
        }
        return moved;
    }
}
