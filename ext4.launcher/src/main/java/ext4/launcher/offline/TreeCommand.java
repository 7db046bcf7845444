// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.offline;

import ext4.image.ByteNames;
import ext4.image.Ext4Image;
import ext4.image.FileType;
import ext4.image.ImageEntry;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ext4 tree}: a tree of an image, drawn. */
@Command(name = "tree", description = "Draws a tree of an image.", mixinStandardHelpOptions = true)
public final class TreeCommand implements Callable<Integer> {
    private record Level(Iterator<ImageEntry> entries, String indent) {}

    @Parameters(index = "0", paramLabel = "IMAGE[:PATH]", description = "Image file or block device.")
    private String image;

    @Parameters(index = "1", arity = "0..1", paramLabel = "PATH", description = "Where to begin; the root if left out.")
    private String path;

    @Option(names = "-a", description = "Also names that begin with a dot.")
    private boolean all;

    private final Output output = new Output("tree");
    private final Deque<Level> levels = new ArrayDeque<>();
    private final Set<Long> seen = new HashSet<>();
    private Ext4Image opened;
    private long directories;
    private long files;

    @Override
    public Integer call() throws IOException {
        Operand operand = Operand.ofImage(image);
        String top = path == null ? operand.path() : path;
        try (Ext4Image toClose = Ext4Image.open(operand.image())) {
            opened = toClose;
            if (!opened.stat(top).isDirectory()) {
                throw new java.nio.file.NotDirectoryException(top);
            }
            output.line(ByteNames.escape(top));
            seen.add(opened.stat(top).ino());
            push(top, "");
            while (!levels.isEmpty() && !output.isClosed()) {
                step();
            }
        }
        output.line("");
        output.line(count(directories, "directory", "directories") + ", " + count(files, "file", "files"));
        return output.finish();
    }

    private void push(String directory, String indent) {
        try {
            List<ImageEntry> entries = opened.list(directory).stream()
                    .filter(entry -> all || !entry.name().startsWith("."))
                    .sorted(Comparator.comparing(ImageEntry::name, Output.BY_BYTES))
                    .toList();
            levels.push(new Level(entries.iterator(), indent));
        } catch (IOException e) {
            output.trouble(e, 1);
        }
    }

    private void step() {
        Level level = levels.peek();
        if (!level.entries.hasNext()) {
            levels.pop();
            return;
        }
        ImageEntry entry = level.entries.next();
        boolean last = !level.entries.hasNext();
        output.line(level.indent + (last ? "\u2514\u2500\u2500 " : "\u251C\u2500\u2500 ") + text(entry));
        if (entry.type() != FileType.DIRECTORY) {
            files++;
            return;
        }
        directories++;
        if (seen.add(entry.attributes().ino())) {
            push(entry.path(), level.indent + (last ? "    " : "\u2502   "));
        } else {
            output.trouble(ByteNames.escapeForMessage(entry.path()) + ": a directory with a second name", 1);
        }
    }

    private String text(ImageEntry entry) {
        String name = ByteNames.escape(entry.name());
        if (entry.type() != FileType.SYMLINK) {
            return name;
        }
        try {
            return name + " -> " + ByteNames.escape(opened.readlink(entry.path()));
        } catch (IOException e) {
            output.trouble(e, 1);
            return name;
        }
    }

    private static String count(long number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }
}
