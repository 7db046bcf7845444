// SPDX-License-Identifier: Apache-2.0
package ext4.format.oracle;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The tools of e2fsprogs, run with plain English output. */
final class E2fs {
    private E2fs() {}

    /** Skips the test, with the reason, where a tool is missing. */
    static void assumeInstalled() {
        for (String tool : List.of("mke2fs", "dumpe2fs", "debugfs")) {
            assumeTrue(find(tool) != null, tool + " of e2fsprogs is not installed");
        }
    }

    private static Path find(String tool) {
        String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/sbin:/sbin";
        return Stream.of(path.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    /** Runs a tool; its standard output and error. A failure fails the test. */
    static String run(String tool, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(find(tool).toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("TZ", "UTC");
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        if (status != 0) {
            throw new AssertionError(command + " exited with " + status + ":\n" + output);
        }
        return output;
    }
}
