// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A file of comma separated values, the first line with the names of the columns; quotes as in RFC 4180. */
final class Csv {
    private Csv() {}

    static List<Map<String, String>> read(Path file) throws IOException {
        List<List<String>> rows = parse(Files.readString(file));
        List<Map<String, String>> result = new ArrayList<>();
        List<String> head = rows.getFirst();
        for (List<String> row : rows.subList(1, rows.size())) {
            Map<String, String> cells = new HashMap<>();
            for (int i = 0; i < head.size(); i++) {
                cells.put(head.get(i), i < row.size() ? row.get(i) : "");
            }
            result.add(cells);
        }
        return result;
    }

    private static List<List<String>> parse(String text) {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                if (quoted && i + 1 < text.length() && text.charAt(i + 1) == '"') {
                    cell.append(text.charAt(++i));
                } else {
                    quoted = !quoted;
                }
            } else if (!quoted && (c == ',' || c == '\n')) {
                row.add(cell.toString().strip());
                cell.setLength(0);
                if (c == '\n') {
                    rows.add(row);
                    row = new ArrayList<>();
                }
            } else {
                cell.append(c);
            }
        }
        if (!row.isEmpty() || !cell.isEmpty()) {
            row.add(cell.toString().strip());
            rows.add(row);
        }
        return rows;
    }
}
