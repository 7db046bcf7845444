// SPDX-License-Identifier: Apache-2.0
package ext4.lab.names;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** umask(2). */
public final class Umask {
    private static final String FIELD = "Umask:";

    private Umask() {}

    /** As proc(5) tells it. */
    public static int ofThisProcess() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith(FIELD))
                    .mapToInt(line ->
                            Integer.parseInt(line.substring(FIELD.length()).strip(), 8))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("/proc/self/status has no " + FIELD));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
