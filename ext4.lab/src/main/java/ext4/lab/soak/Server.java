// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import ext4.lab.agent.Activator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code ext4 run} in a process of its own, with the lab's agent and the parts of third parties in its deploy folder. Belongs
 * to one thread.
 */
final class Server {
    /** All of the heap is there from the beginning, so that resident memory grows only by what is beside it. */
    private static final List<String> OPTIONS = List.of(
            "-XX:+UseG1GC",
            "-XX:+UseCompactObjectHeaders",
            "-Xms384m",
            "-Xmx384m",
            "-XX:+AlwaysPreTouch",
            "-D" + Activator.PROPERTY + "=true");

    private final Process process;
    private final Path log;
    private final BufferedReader answers;
    private final PrintWriter orders;

    private Server(Process process, Path log) {
        this.process = process;
        this.log = log;
        answers = process.inputReader(StandardCharsets.UTF_8);
        orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8));
    }

    /** Returns when it has mounted the image. */
    static Server start(Ground ground, Cleanup cleanup, Path mountpoint, String transport) throws IOException {
        Path conf = ground.newFolder("conf");
        Path deploy = ground.newFolder("deploy");
        Files.writeString(
                conf.resolve("ext4.mount-soak.cfg"),
                "image = " + ground.image() + "\nmountpoint = " + mountpoint + "\ntransport = " + transport
                        + "\norphan.strategy = sharded\noptions = commit=1\n");
        Path lab = Commands.home().resolve("lab");
        Files.copy(lab.resolve("ext4.lab.jar"), deploy.resolve("ext4.lab.jar"));
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(lab.resolve("parts"), "*.jar")) {
            for (Path part : parts) {
                Files.copy(part, deploy.resolve(part.getFileName()));
            }
        }
        Path log = ground.file("server.log");
        Process process = new ProcessBuilder(Commands.ext4(
                        OPTIONS, "run", "--no-shell", "--conf", conf.toString(), "--deploy", deploy.toString()))
                .redirectError(log.toFile())
                .start();
        cleanup.add(() -> Commands.end(process));
        Server server = new Server(process, log);
        server.answer("mount");
        return server;
    }

    /**
     * The lines of an answer, their words set apart.
     *
     * @throws Refused with the reason and the lines before it
     */
    List<List<String>> ask(String... words) throws IOException, Refused {
        orders.println(String.join("\t", words));
        orders.flush();
        return answer(String.join(" ", words));
    }

    /** An order that was not carried out. */
    static final class Refused extends IOException {
        private static final long serialVersionUID = 1L;

        /** What was told before. */
        final transient List<List<String>> lines;

        Refused(String reason, List<List<String>> lines) {
            super(reason);
            this.lines = lines;
        }
    }

    private List<List<String>> answer(String order) throws IOException {
        List<List<String>> lines = new ArrayList<>();
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            List<String> words = List.of(line.split("\t", -1));
            if (words.getFirst().equals("ok")) {
                return lines;
            }
            if (words.getFirst().equals("no")) {
                throw new Refused(order + ": " + words.getLast(), lines);
            }
            lines.add(words);
        }
        throw new IOException("the serving process ended: " + log());
    }

    /** What it wrote to its log until now. */
    String log() throws IOException {
        return Files.readString(log).strip();
    }

    /** Lets it end by itself; its exit status. */
    int end() throws InterruptedException {
        orders.close();
        return process.waitFor();
    }
}
