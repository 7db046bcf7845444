// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.offline;

import ext4.image.ByteNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The arguments of the commands that name files inside images, as they were given: Java decodes them by the locale, and
 * what the locale's charset doesn't have is lost. The kernel keeps them.
 */
public final class RawArguments {
    private static final Set<String> COMMANDS = Set.of("ls", "cat", "cp", "tree");

    private RawArguments() {}

    /** {@code args}, or what the kernel knows of them, as {@link ByteNames} writes it. */
    public static String[] of(String... args) {
        if (args.length == 0 || !COMMANDS.contains(args[0])) {
            return args;
        }
        List<String> all;
        try {
            all = split(Files.readAllBytes(Path.of("/proc/self/cmdline")));
        } catch (IOException e) {
            return args; // no procfs
        }
        List<String> last = all.subList(Math.max(0, all.size() - args.length), all.size());
        return last.size() == args.length && last.getFirst().equals(args[0]) ? last.toArray(String[]::new) : args;
    }

    private static List<String> split(byte[] line) {
        List<String> words = new ArrayList<>();
        int start = 0;
        for (int at = 0; at < line.length; at++) {
            if (line[at] == 0) {
                words.add(ByteNames.decode(line, start, at - start));
                start = at + 1;
            }
        }
        return words;
    }
}
