// SPDX-License-Identifier: Apache-2.0
package ext4.bench.subject;

import ext4.bench.load.FailedCall;
import ext4.bench.worker.WorkerMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A {@link WorkerMain} in a process of its own. Belongs to one thread. */
public final class Worker {
    private final Process process;
    private final Path log;
    private final BufferedReader answers;
    private final PrintWriter requests;

    private Worker(Process process, Path log) {
        this.process = process;
        this.log = log;
        answers = process.inputReader(StandardCharsets.UTF_8);
        requests = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8));
    }

    /** Returns when it is ready. */
    static Worker start(Ground ground, String name, List<String> arguments) throws IOException {
        Path log = ground.folder().resolve(name + ".log");
        Process process = new ProcessBuilder(JavaProcess.ofClass(WorkerMain.class, arguments))
                .redirectError(log.toFile())
                .start();
        ground.cleanup().add(() -> Commands.end(process));
        Worker worker = new Worker(process, log);
        if (!"ready".equals(worker.answers.readLine())) {
            throw worker.died();
        }
        return worker;
    }

    /**
     * The lines of an answer.
     *
     * @throws FailedCall with the reason, if the request failed
     */
    public List<String> ask(String request) throws IOException {
        requests.println(request);
        requests.flush();
        List<String> lines = new ArrayList<>();
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.equals(".")) {
                return lines;
            }
            if (line.startsWith("!")) {
                throw new FailedCall(request, line.substring(1));
            }
            lines.add(line.substring(1));
        }
        throw died();
    }

    /** Lets it end by itself, which unmounts what it holds. */
    void close() throws InterruptedException {
        requests.close();
        process.waitFor();
    }

    private IOException died() throws IOException {
        String words = Files.readString(log).strip();
        return new IOException("a worker ended" + (words.isEmpty() ? "" : ": " + words));
    }
}
