// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Runs e2fsck many times: a shell starts it, which costs far less than to start it from a large process. At its runs it is
 * always the same time. Belongs to one thread.
 */
final class E2fsck implements AutoCloseable {
    /** When it is in its runs: later than all else. */
    private static final long NOW_SECONDS = 1_893_456_000L;

    private static final String END = "@exit ";
    private static final String LOOP = "while read -r options file; do"
            + " e2fsck $options \"$file\" 2>&1 < /dev/null; status=$?; echo; echo \"" + END + "$status\"; done";

    /** @param output of both streams */
    record Result(int exit, String output) {}

    private final Process shell;
    private final BufferedReader output;
    private final Writer orders;

    E2fsck() throws IOException {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", LOOP);
        builder.environment().put("PATH", "/usr/sbin:/sbin:/usr/bin:/bin");
        builder.environment().put("E2FSCK_TIME", Long.toString(NOW_SECONDS));
        builder.environment().put("LC_ALL", "C");
        shell = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        output = shell.inputReader(StandardCharsets.ISO_8859_1);
        orders = shell.outputWriter(StandardCharsets.ISO_8859_1);
    }

    Result run(String options, Path file) throws IOException {
        orders.write(options + " " + file + "\n");
        orders.flush();
        StringBuilder text = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(END)) {
                return new Result(
                        Integer.parseInt(line.substring(END.length())),
                        text.toString().strip());
            }
            text.append(line).append('\n');
        }
        throw new IOException("the shell that runs e2fsck ended: " + text);
    }

    @Override
    public void close() throws IOException {
        orders.close();
        boolean interrupted = false;
        while (true) {
            try {
                shell.waitFor();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
