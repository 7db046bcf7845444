// SPDX-License-Identifier: Apache-2.0
package ext4.fuse.session;

import ext4.fuse.wire.Opcode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;

/** Requests and errors by opcode. Each reader counts in a table of its own; only a report adds them up. */
final class Counters {
    private static final String ALL_ERRORS = "errors";
    private static final String ALL_UNEXPECTED = "unexpected";

    private final List<Table> tables = new CopyOnWriteArrayList<>();

    /** Goes on from what {@link #report} said of the same connection before; names that are unknown here are left out. */
    void goOn(Map<String, Long> before) {
        Table table = table();
        for (Opcode opcode : Opcode.values()) {
            table.requests.set(opcode.number(), before.getOrDefault(name(opcode), 0L));
        }
        table.requests.set(Table.ERRORS, before.getOrDefault(ALL_ERRORS, 0L));
        table.requests.set(Table.UNEXPECTED, before.getOrDefault(ALL_UNEXPECTED, 0L));
    }

    private static String name(Opcode opcode) {
        return "requests." + opcode.name().toLowerCase(Locale.ROOT);
    }

    /** A table that one thread counts in. */
    Table table() {
        Table table = new Table();
        tables.add(table);
        return table;
    }

    /** Sums in the order of the opcodes, then errors; what never happened is left out. */
    Map<String, Long> report() {
        Map<String, Long> report = new LinkedHashMap<>();
        long errors = 0;
        long unexpected = 0;
        for (Opcode opcode : Opcode.values()) {
            long sum = 0;
            for (Table table : tables) {
                sum += table.requests.get(opcode.number());
            }
            if (sum > 0) {
                report.put(name(opcode), sum);
            }
        }
        for (Table table : tables) {
            errors += table.requests.get(Table.ERRORS);
            unexpected += table.requests.get(Table.UNEXPECTED);
        }
        report.put(ALL_ERRORS, errors);
        report.put(ALL_UNEXPECTED, unexpected);
        return report;
    }

    /** One thread's counts; written by that thread only. */
    static final class Table {
        private static final int ERRORS = Opcode.LIMIT;
        private static final int UNEXPECTED = Opcode.LIMIT + 1;

        private final AtomicLongArray requests = new AtomicLongArray(Opcode.LIMIT + 2);

        void request(Opcode opcode) {
            add(opcode.number());
        }

        void error() {
            add(ERRORS);
        }

        void unexpected() {
            add(UNEXPECTED);
        }

        private void add(int index) {
            requests.setRelease(index, requests.getPlain(index) + 1);
        }
    }
}
