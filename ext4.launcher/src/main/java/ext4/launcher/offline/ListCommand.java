// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.offline;

import ext4.image.ByteNames;
import ext4.image.Ext4Image;
import ext4.image.FileType;
import ext4.image.ImageAttributes;
import ext4.image.ImageEntry;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ext4 ls}: what is in directories of an image, as {@code ls -1b}, or {@code ls -nb --time-style=long-iso}. */
@Command(
        name = "ls",
        description = "Lists directories of an image.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:all was listed", "1:something below was not", "2:the image or a path given was not"})
public final class ListCommand implements Callable<Integer> {
    private static final int MINOR = 1;
    private static final int SERIOUS = 2;

    @Parameters(index = "0", paramLabel = "IMAGE[:PATH]", description = "Image file or block device.")
    private String image;

    @Parameters(index = "1..*", paramLabel = "PATH", description = "Paths in the image; the root if left out.")
    private List<String> paths = List.of();

    @Option(names = "-l", description = "Modes, links, numeric owners, sizes and times too.")
    private boolean isLong;

    @Option(names = "-a", description = "Also names that begin with a dot.")
    private boolean all;

    @Option(names = "-R", description = "Directories in directories too.")
    private boolean recursive;

    private final Output output = new Output("ls");
    private final Deque<String> waiting = new ArrayDeque<>();
    private final Set<Long> seen = new HashSet<>();
    private Ext4Image opened;
    private boolean first = true;

    @Override
    public Integer call() {
        try {
            Operand operand = Operand.ofImage(image);
            List<String> given = new ArrayList<>(paths);
            if (given.isEmpty() || !operand.path().equals("/")) {
                given.addFirst(operand.path());
            }
            try (Ext4Image toClose = Ext4Image.open(operand.image())) {
                opened = toClose;
                list(given);
            }
        } catch (IOException e) {
            output.trouble(e, SERIOUS);
        }
        return output.finish();
    }

    /** Files first, then directories, as ls does. */
    private void list(List<String> given) {
        List<ImageEntry> files = new ArrayList<>();
        List<String> directories = new ArrayList<>();
        for (String path : given.stream().sorted(Output.BY_BYTES).toList()) {
            try {
                ImageAttributes attributes = opened.stat(path, LinkOption.NOFOLLOW_LINKS);
                if (attributes.isSymbolicLink() && !isLong && opened.exists(path)) {
                    attributes = opened.stat(path);
                }
                if (attributes.isDirectory()) {
                    directories.add(path);
                } else {
                    files.add(new ImageEntry(path, attributes));
                }
            } catch (IOException e) {
                output.trouble(e, SERIOUS);
            }
        }
        print(files, ImageEntry::path);
        first = files.isEmpty();
        boolean headers = recursive || given.size() > 1;
        for (String path : directories) {
            waiting.push(path);
            while (!waiting.isEmpty() && !output.isClosed()) {
                directory(waiting.pop(), headers, path);
            }
        }
    }

    private void directory(String path, boolean header, String given) {
        List<ImageEntry> entries;
        try {
            if (recursive && !seen.add(opened.stat(path).ino())) {
                output.trouble(ByteNames.escapeForMessage(path) + ": a directory that was listed before", MINOR);
                return;
            }
            entries = entries(path);
        } catch (IOException e) {
            output.trouble(e, path.equals(given) ? SERIOUS : MINOR);
            return;
        }
        if (header) {
            output.line((first ? "" : "\n") + ByteNames.escape(path) + ":");
        }
        first = false;
        if (isLong) {
            output.line("total " + kibibytes(entries));
        }
        print(entries, ImageEntry::name);
        if (recursive) {
            for (ImageEntry entry : entries.reversed()) {
                boolean dots = entry.name().equals(".") || entry.name().equals("..");
                if (entry.type() == FileType.DIRECTORY && !dots) {
                    waiting.push(entry.path());
                }
            }
        }
    }

    private List<ImageEntry> entries(String path) throws IOException {
        List<ImageEntry> entries = new ArrayList<>();
        for (ImageEntry entry : opened.list(path)) {
            if (all || !entry.name().startsWith(".")) {
                entries.add(entry);
            }
        }
        if (all) {
            String slash = path.endsWith("/") ? path : path + "/";
            entries.add(new ImageEntry(slash + ".", opened.stat(path)));
            entries.add(new ImageEntry(slash + "..", opened.stat(slash + "..")));
        }
        entries.sort(Comparator.comparing(ImageEntry::name, Output.BY_BYTES));
        return entries;
    }

    private static long kibibytes(List<ImageEntry> entries) {
        long bytes = entries.stream()
                .mapToLong(entry -> entry.attributes().allocatedBytes())
                .sum();
        return bytes + 1023 >> 10;
    }

    private void print(List<ImageEntry> entries, Function<ImageEntry, String> name) {
        if (isLong) {
            new LongListing(opened, output).print(entries, name);
        } else {
            entries.forEach(entry -> output.line(ByteNames.escape(name.apply(entry))));
        }
    }
}
