// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** {@code ext4 run} in a process of its own, its shell driven through standard input. */
final class RunningContainer implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;
    private static final String PROMPT = "ext4> ";

    final Path conf;
    private final Path log;
    private final Process process;
    private final Writer input;
    private final BufferedReader output;
    private final Map<String, FileTime> written = new HashMap<>();
    private int asked;

    private RunningContainer(Path conf, Path log, Process process) {
        this.conf = conf;
        this.log = log;
        this.process = process;
        input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** With a shell on standard input; {@code temp} holds its folders and its log. */
    static RunningContainer withShell(Path temp, String... more) throws IOException {
        Path conf = Files.createDirectories(temp.resolve("conf"));
        Path deploy = Files.createDirectories(temp.resolve("deploy"));
        List<String> line = new ArrayList<>(List.of("run", "--shell", "--conf", conf.toString()));
        line.addAll(List.of("--deploy", deploy.toString()));
        line.addAll(List.of(more));
        return start(Ext4.command(), line, conf, temp.resolve("run.log"));
    }

    /** Without a shell, of an unpacked distribution, with the folders that it has. */
    static RunningContainer headless(Path home, Path log) throws IOException {
        return start(home.resolve("bin/ext4"), List.of("run", "--no-shell"), home.resolve("conf"), log);
    }

    private static RunningContainer start(Path command, List<String> arguments, Path conf, Path log)
            throws IOException {
        List<String> line = new ArrayList<>(List.of(command.toString()));
        line.addAll(arguments);
        Process process = new ProcessBuilder(line)
                .directory(conf.toFile())
                .redirectError(log.toFile())
                .start();
        return new RunningContainer(conf, log, process);
    }

    /** What the shell prints for a command. */
    List<String> ask(String command) throws IOException {
        String end = "end of answer " + asked++;
        input.write(command + "\necho '" + end + "'\n");
        input.flush();
        List<String> lines = new ArrayList<>();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            String text = line;
            while (text.startsWith(PROMPT)) {
                text = text.substring(PROMPT.length());
            }
            if (text.equals(end)) {
                return lines;
            }
            lines.add(text);
        }
        throw new AssertionError("the shell ended; its log:\n" + log());
    }

    /** The row of {@code ext4:mounts} for that configuration file, its columns set apart by one blank; or "". */
    String row(String file) throws IOException {
        return ask("ext4:mounts").stream()
                .filter(line -> line.startsWith(file + " "))
                .map(line -> line.replaceAll(" +", " "))
                .findFirst()
                .orElse("");
    }

    /** Returns when {@code row} matches the whole row of that file. */
    void awaitRow(String file, String pattern) throws Exception {
        await(() -> row(file), text -> text.matches(pattern), "a row of " + file + " like " + pattern);
    }

    /** A condition on something that is looked at again and again. */
    interface Enough<T> {
        boolean is(T seen) throws Exception;
    }

    /** Looks until it is enough; fails if the process ends or too much time passes. */
    <T> void await(Callable<T> look, Enough<T> enough, String what) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        T seen = look.call();
        while (!enough.is(seen)) {
            if (process.waitFor(20, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                throw new AssertionError("no " + what + ", last seen: " + seen + "; its log:\n" + log());
            }
            seen = look.call();
        }
    }

    /**
     * Writes a configuration as one step, as an editor does. File Install saves each configuration that it took over, and
     * takes the file that then lies there for its own: a change at that very moment would be lost, so it is waited for.
     */
    void configure(String file, String... lines) throws Exception {
        Path target = conf.resolve(file);
        if (written.containsKey(file)) {
            await(() -> Files.getLastModifiedTime(target), time -> !time.equals(written.get(file)), "save of " + file);
            process.waitFor(20, TimeUnit.MILLISECONDS);
        }
        Path draft = Files.write(conf.resolve("." + file + ".new"), List.of(lines));
        written.put(file, Files.getLastModifiedTime(draft));
        Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** What it wrote to standard error so far. */
    String log() throws IOException {
        return Files.readString(log);
    }

    /** Lines of the log that contain all of these words. */
    List<String> logged(String... words) throws IOException {
        return log().lines()
                .filter(line -> List.of(words).stream().allMatch(line::contains))
                .toList();
    }

    /** SIGTERM; returns the exit status when it has ended. */
    int terminate() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("it goes on after SIGTERM");
        }
        return process.exitValue();
    }

    /** Ends the shell's input; returns the exit status when the container has ended. */
    int endInput() throws IOException, InterruptedException {
        input.close();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("it goes on after the end of its input");
        }
        return process.exitValue();
    }

    /** For tests that failed half-way: nothing stays mounted. */
    @Override
    public void close() throws IOException, InterruptedException {
        if (process.isAlive()) {
            process.destroy();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                for (File left : mountsBelow(conf.getParent())) {
                    new ProcessBuilder("umount", "-l", left.toString()).start().waitFor();
                }
            }
        }
    }

    private static List<File> mountsBelow(Path folder) throws IOException {
        return Files.readString(Path.of("/proc/self/mounts"))
                .lines()
                .map(line -> line.split(" ")[1])
                .filter(path -> path.startsWith(folder + "/"))
                .map(File::new)
                .toList();
    }
}
