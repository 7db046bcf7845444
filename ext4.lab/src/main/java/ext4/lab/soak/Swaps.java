// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Chooses and makes swaps, and remembers them. Belongs to one thread. */
final class Swaps {
    private static final List<String> NOT_BY_NAME = List.of("none");

    private final Server server;
    private final Ledger ledger;
    private final Random random;
    private final List<String> parts;
    /** Names of the providers by part, between which a mount may be switched. */
    private final Map<String, List<String>> providers = new TreeMap<>();
    /** What is at work, by part; from the latest report. */
    private final Map<String, String> current = new TreeMap<>();

    private final List<Swap> made = new ArrayList<>();
    private int refused;
    /** Reports are those of the agent: part, from, to, orphans, pause in microseconds, bytes flushed. */
    private static final int FROM = 2;

    private static final int TO = 3;
    private static final int ORPHANS = 4;
    private static final int PAUSE = 5;
    private static final int FLUSHED = 6;

    Swaps(Server server, Ledger ledger, List<String> parts, long seed) throws IOException {
        this.server = server;
        this.ledger = ledger;
        this.parts = parts;
        random = new Random(seed);
        for (List<String> line : server.ask("parts")) {
            List<String> names = new ArrayList<>(List.of(line.get(2).split(",")));
            names.removeAll(NOT_BY_NAME);
            providers.put(line.get(1), names);
        }
        current.put("STRATEGY", "sharded");
        current.put("JOURNAL", "jbd2");
    }

    List<Swap> made() {
        return made;
    }

    int refused() {
        return refused;
    }

    /** What can be switched between, for people. */
    String text() {
        Map<String, List<String>> chosen = new LinkedHashMap<>();
        parts.forEach(part -> chosen.put(part.toLowerCase(Locale.ROOT), providers.get(part)));
        return chosen.toString();
    }

    /** Makes one at random. */
    void any() throws IOException {
        String part = parts.get(random.nextInt(parts.size()));
        List<String> others = new ArrayList<>(providers.getOrDefault(part, List.of()));
        others.remove(current.get(part));
        boolean byName = !others.isEmpty() && current.containsKey(part) && random.nextBoolean();
        String name = byName ? others.get(random.nextInt(others.size())) : null;
        make(part, name);
    }

    private void make(String part, String name) throws IOException {
        String what = "swap " + (made.size() + refused + 1) + ", "
                + (name == null ? "update of the " : "switch of the ") + part.toLowerCase(Locale.ROOT)
                + (name == null ? "" : " to " + name);
        ledger.swapBegins(what);
        try {
            take(part, name == null, name == null ? server.ask("update", part) : server.ask("switch", part, name));
        } catch (Server.Refused e) {
            refused++;
            ledger.say("REFUSED " + what + ": " + e.getMessage() + " " + e.lines);
        } finally {
            ledger.swapEnded();
        }
    }

    private void take(String part, boolean update, List<List<String>> lines) {
        long begin = 0;
        long end = 0;
        long pause = 0;
        long flushed = 0;
        long orphans = 0;
        List<String> steps = new ArrayList<>();
        for (List<String> line : lines) {
            if (line.getFirst().equals("lasted")) {
                begin = Long.parseLong(line.get(1));
                end = Long.parseLong(line.get(2));
            } else {
                pause += Long.parseLong(line.get(PAUSE));
                flushed += Long.parseLong(line.get(FLUSHED));
                orphans = Math.max(orphans, Long.parseLong(line.get(ORPHANS)));
                steps.add(line.get(FROM) + " -> " + line.get(TO));
                if (line.get(1).equals(part)) {
                    current.put(part, line.get(TO));
                }
            }
        }
        made.add(new Swap(part, update, String.join(", ", steps), begin, end, pause, flushed, orphans));
    }
}
