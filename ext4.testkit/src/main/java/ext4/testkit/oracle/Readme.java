// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.oracle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A section of a document that tells its reader what to do, so that a test does just that. */
public final class Readme {
    private static final String INDENT = "    ";

    private final List<String> lines;

    private Readme(List<String> lines) {
        this.lines = lines;
    }

    /**
     * The section below a heading, up to the next one of its rank or a higher one.
     *
     * @param heading as it stands there, with its number signs
     */
    public static Readme section(Path document, String heading) throws IOException {
        List<String> all = Files.readAllLines(document);
        int start = all.indexOf(heading) + 1;
        if (start == 0) {
            throw new AssertionError(document + " has no heading '" + heading + "'");
        }
        int end = start;
        while (end < all.size() && !endsSection(all.get(end), heading)) {
            end++;
        }
        return new Readme(all.subList(start, end));
    }

    private static boolean endsSection(String line, String heading) {
        int rank = rank(line);
        return rank > 0 && rank <= rank(heading);
    }

    /** Number of number signs before the text; 0 for a line that is no heading. */
    private static int rank(String line) {
        int signs = 0;
        while (signs < line.length() && line.charAt(signs) == '#') {
            signs++;
        }
        return line.startsWith(" ", signs) ? signs : 0;
    }

    /** The blocks of commands, which are indented by four spaces, each without that. */
    public List<String> blocks() {
        List<String> blocks = new ArrayList<>();
        StringBuilder block = new StringBuilder();
        for (String line : lines) {
            if (line.startsWith(INDENT)) {
                block.append(line.substring(INDENT.length())).append('\n');
            } else if (line.isBlank() && !block.isEmpty()) {
                block.append('\n');
            } else {
                add(blocks, block);
            }
        }
        add(blocks, block);
        return blocks;
    }

    private static void add(List<String> blocks, StringBuilder block) {
        if (!block.isEmpty()) {
            blocks.add(block.toString().stripTrailing());
            block.setLength(0);
        }
    }

    /** The rows of the first table, without its head; each a list of cells. */
    public List<List<String>> table() {
        return lines.stream()
                .dropWhile(line -> !line.startsWith("|"))
                .takeWhile(line -> line.startsWith("|"))
                .skip(2) // the head and the line below it
                .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                        .map(String::strip)
                        .toList())
                .toList();
    }
}
