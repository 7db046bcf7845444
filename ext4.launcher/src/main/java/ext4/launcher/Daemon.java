// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import ext4.api.mount.MountException;
import ext4.control.socket.ControlClient;
import ext4.control.socket.SocketPath;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Starts the process that serves a mount, apart from this one and its terminal. */
public final class Daemon {
    private static final long LOOK_AGAIN_MILLIS = 20;
    private static final String OWN_PREFIX = "ext4: mount: ";

    private Daemon() {}

    /**
     * Returns when it is mounted.
     *
     * @param transport null for the default
     * @throws Failure with the reason if it could not be; the process has ended then
     */
    public static ControlClient start(Path image, Path mountpoint, String options, String transport)
            throws Failure, IOException, InterruptedException {
        Path run = SocketPath.runDirectory();
        SocketPath.prepare(run);
        Path log = SocketPath.log(run, mountpoint.toString());
        ControlClient client = new ControlClient(SocketPath.socket(run, mountpoint.toString()));
        if (client.answers()) {
            throw new Failure(mountpoint + ": already mounted");
        }
        Process process = spawn(image, mountpoint, options, transport, log);
        while (!client.answers()) {
            if (process.waitFor(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new Failure(lastWords(log, process.exitValue()));
            }
        }
        try {
            client.ask("wait");
            return client;
        } catch (MountException e) {
            process.waitFor();
            throw new Failure(e.getMessage());
        } catch (IOException e) {
            process.waitFor();
            throw new Failure(lastWords(log, process.exitValue()));
        }
    }

    private static Process spawn(Path image, Path mountpoint, String options, String transport, Path log)
            throws Failure, IOException {
        List<String> arguments = new ArrayList<>(List.of("mount", "-f"));
        if (!options.isEmpty()) {
            arguments.addAll(List.of("-o", options));
        }
        if (transport != null) {
            arguments.add("--transport=" + transport);
        }
        arguments.addAll(List.of("--", image.toString(), mountpoint.toString()));
        List<String> line = Home.server(arguments);
        line.add(1, "-Dext4.log=" + System.getProperty("ext4.log", "info"));
        if (Kept.byProcess(options)) {
            line = Kept.behindKeeper(line);
        }
        // a session of its own: Ctrl-C in the terminal, or its end, is not meant for a mount
        Path setsid = Path.of("/usr/bin/setsid");
        if (Files.isExecutable(setsid)) {
            line.add(0, setsid.toString());
        }
        return new ProcessBuilder(line)
                .directory(new File("/"))
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** The line with which the process itself said why it ended. */
    private static String lastWords(Path log, int status) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.startsWith(OWN_PREFIX))
                    .map(line -> line.substring(OWN_PREFIX.length()))
                    .findFirst()
                    .orElse("the serving process ended with status " + status + "; its log is " + log);
        }
    }
}
