// SPDX-License-Identifier: Apache-2.0
package ext4.lab.locks;

import ext4.lab.locks.LockOrder.Edge;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order that ARCHITECTURE.md states: the tables under "Lock order", whose last column names in backquotes what is of a
 * row in the code. Rows are numbered from the outermost lock to the innermost; a letter after the number sets apart what is
 * on one level and is never taken together.
 */
final class Rules {
    private static final Pattern ROW = Pattern.compile("^\\| (\\d+)([a-z]?) \\| (.*?) \\|.*\\| ([^|]*) \\|$");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    /** What a kind of lock is. */
    private record Row(int rank, String label) {}

    private final Map<String, Row> rows = new HashMap<>();

    /** Reads the page. */
    Rules(String architecture) {
        boolean inside = false;
        for (String line : architecture.lines().toList()) {
            if (line.startsWith("## ")) {
                inside = line.equals("## Lock order");
            }
            Matcher row = ROW.matcher(line);
            if (inside && row.matches()) {
                Row found = new Row(Integer.parseInt(row.group(1)), row.group(1) + row.group(2));
                Matcher name = NAME.matcher(row.group(4));
                while (name.find()) {
                    rows.put(name.group(1), found);
                }
            }
        }
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("no table of locks with names in the code");
        }
    }

    /** What the page does not know or does not allow, and cycles; empty if all is well. */
    List<String> broken(Map<Edge, String> edges, List<String> kinds) {
        List<String> problems = new ArrayList<>();
        for (String kind : kinds) {
            if (!rows.containsKey(kind)) {
                problems.add(kind + " is taken, but ARCHITECTURE.md does not name it");
            }
        }
        edges.forEach((edge, stack) -> {
            if (!allows(edge)) {
                problems.add(name(edge.wanted()) + " is waited for while " + name(edge.held()) + " is held:\n" + stack);
            }
        });
        String cycle = cycle(edges);
        if (cycle != null) {
            problems.add("a cycle: " + cycle);
        }
        return problems;
    }

    private boolean allows(Edge edge) {
        Row held = rows.get(edge.held());
        Row wanted = rows.get(edge.wanted());
        return held != null && wanted != null && held.rank() < wanted.rank();
    }

    private String name(String kind) {
        Row row = rows.get(kind);
        return kind + (row == null ? "" : " (row " + row.label() + ")");
    }

    private static String cycle(Map<Edge, String> edges) {
        Map<String, List<String>> next = new TreeMap<>();
        edges.keySet()
                .forEach(edge -> next.computeIfAbsent(edge.held(), held -> new ArrayList<>())
                        .add(edge.wanted()));
        Map<String, Boolean> left = new HashMap<>();
        for (String kind : next.keySet()) {
            String found = walk(kind, next, left, new ArrayList<>());
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** In {@code left}: true while it is on the way, false when all behind it is known. */
    private static String walk(
            String kind, Map<String, List<String>> next, Map<String, Boolean> left, List<String> way) {
        way.add(kind);
        left.put(kind, true);
        for (String to : next.getOrDefault(kind, List.of())) {
            Boolean seen = left.get(to);
            if (Boolean.TRUE.equals(seen)) {
                return String.join(" -> ", way.subList(way.indexOf(to), way.size())) + " -> " + to;
            }
            String found = seen == null ? walk(to, next, left, way) : null;
            if (found != null) {
                return found;
            }
        }
        left.put(kind, false);
        way.removeLast();
        return null;
    }
}
