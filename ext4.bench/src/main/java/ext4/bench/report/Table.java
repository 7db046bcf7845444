// SPDX-License-Identifier: Apache-2.0
package ext4.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Lines of columns: the first to the left, the others to the right. */
public final class Table {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    /** @param header names of the columns */
    public Table(List<String> header) {
        rows.add(List.copyOf(header));
    }

    /** @param header names of the columns */
    public Table(String... header) {
        this(List.of(header));
    }

    /** Adds a row with as many cells as the header. */
    public Table row(List<String> cells) {
        if (cells.size() != rows.getFirst().size()) {
            throw new IllegalArgumentException(cells + " does not fit " + rows.getFirst());
        }
        rows.add(List.copyOf(cells));
        return this;
    }

    /** Adds a row with as many cells as the header. */
    public Table row(String... cells) {
        return row(List.of(cells));
    }

    /** Whether there is nothing but the header. */
    public boolean isEmpty() {
        return rows.size() == 1;
    }

    /** The lines, each with its end. */
    public String text() {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String cell = row.get(i);
                String space = " ".repeat(widths[i] - cell.length());
                line.append(i == 0 ? cell + space : GAP + space + cell);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
