// SPDX-License-Identifier: Apache-2.0
package ext4.lab.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What each file of a tree must look like, as a file of lines: relative path, tab, {@link Description}. */
public final class Manifest {
    private Manifest() {}

    static void write(Path file, Map<String, String> expected) throws IOException {
        StringBuilder text = new StringBuilder();
        expected.forEach(
                (path, line) -> text.append(path).append('\t').append(line).append('\n'));
        Files.writeString(file, text);
    }

    private static Map<String, String> read(Path file) throws IOException {
        Map<String, String> expected = new TreeMap<>();
        for (String line : Files.readAllLines(file)) {
            int tab = line.indexOf('\t');
            expected.put(line.substring(0, tab), line.substring(tab + 1));
        }
        return expected;
    }

    /** Compares the tree below {@code root}, tells what differs, and returns how many files were compared. */
    public static int compare(Path file, Path root, Outcome outcome) throws IOException {
        Map<String, String> expected = read(file);
        try (Hands hands = new Hands(outcome)) {
            expected.forEach((path, line) -> {
                String there = root.resolve(path).toString();
                String actual = Description.actual(hands, there, line);
                if (!actual.equals(line)) {
                    outcome.differs(there, line, actual);
                }
            });
        }
        return expected.size();
    }
}
