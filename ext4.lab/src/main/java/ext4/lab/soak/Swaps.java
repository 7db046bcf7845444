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
            List<String> names = new ArrayList<>(List.of(line.get(3).split(",")));
            names.removeIf(name -> !mayBeChosen(name));
            providers.put(line.get(1), names);
            current.put(line.get(1), line.get(2));
        }
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

    /** A mount keeps its kind of journal, and its connection is over a ring or not from its beginning. */
    private static boolean mayBeChosen(String name) {
        return !name.equals("none") && !name.equals(SoakCommand.RINGS);
    }

    /** Makes one at random. */
    void any() throws IOException {
        String part = parts.get(random.nextInt(parts.size()));
        List<String> others = new ArrayList<>(providers.get(part));
        others.remove(current.get(part));
        Swap.How how = Swap.How.values()[random.nextInt(others.isEmpty() ? 2 : 3)];
        make(part, how, how == Swap.How.SWITCH ? others.get(random.nextInt(others.size())) : null);
    }

    private void make(String part, Swap.How how, String name) throws IOException {
        String what = "swap " + (made.size() + refused + 1) + " (" + Swap.kind(part, how)
                + (name == null ? "" : ", " + name) + ")";
        ledger.swapBegins(what);
        try {
            take(
                    part,
                    how,
                    switch (how) {
                        case UPDATE -> server.ask("update", part);
                        case RENEW -> server.ask("renew", part);
                        case SWITCH -> server.ask("switch", part, name);
                    });
        } catch (Server.Refused e) {
            refused++;
            ledger.say("REFUSED " + what + ": " + e.getMessage() + " " + e.lines);
        } finally {
            ledger.swapEnded();
        }
    }

    private void take(String part, Swap.How how, List<List<String>> lines) {
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
        made.add(new Swap(part, how, String.join(", ", steps), begin, end, pause, flushed, orphans));
    }
}
