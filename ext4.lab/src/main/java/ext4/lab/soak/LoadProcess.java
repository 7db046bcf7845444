// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import ext4.lab.load.LoadMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A load in a process of its own; what it tells goes to the ledger. */
final class LoadProcess {
    private static final int WORDS = 8;

    private final String kind;
    private final Process process;
    private final PrintWriter orders;
    private final Path manifest;
    private final Ledger ledger;
    private final Thread listener;
    private final CountDownLatch ready = new CountDownLatch(1);
    private volatile long calls;
    private volatile boolean ended;

    private LoadProcess(String kind, Process process, Path manifest, Ledger ledger) {
        this.kind = kind;
        this.process = process;
        this.manifest = manifest;
        this.ledger = ledger;
        orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8));
        listener = Thread.ofPlatform().daemon().name("load " + kind).unstarted(this::listen);
    }

    static LoadProcess start(Ground ground, Cleanup cleanup, Ledger ledger, String kind, Path root, long seed)
            throws IOException {
        Path manifest = ground.file(kind + ".manifest");
        List<String> line = Commands.java(
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx192m", "--enable-native-access=ALL-UNNAMED");
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), LoadMain.class.getName()));
        line.addAll(List.of(kind, root.toString(), Long.toString(seed), manifest.toString()));
        Process process = new ProcessBuilder(line)
                .redirectError(ground.file(kind + ".log").toFile())
                .start();
        cleanup.add(() -> Commands.end(process));
        LoadProcess load = new LoadProcess(kind, process, manifest, ledger);
        load.listener.start();
        return load;
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                take(line.split("\t", WORDS));
            }
        } catch (IOException e) {
            ledger.failed(kind, "(listening to the load)", kind, e.toString(), "lines");
        }
        ready.countDown();
        if (!ended) {
            ledger.failed(kind, "(the load itself)", kind, "ended early", "going on");
        }
    }

    private void take(String[] words) {
        switch (words[0]) {
            case "failed" -> ledger.failed(kind, words[1], words[2], words[3], words[4]);
            case "differs" -> ledger.differs(kind, words[1], words[2], words[3]);
            case "slow" ->
                ledger.slow(new Ledger.SlowCall(words[1], Long.parseLong(words[2]), Long.parseLong(words[3])));
            case "calls" -> calls = Long.parseLong(words[1]);
            case "ready" -> ready.countDown();
            case "compared" -> {} // what differs was told
            case "ended" -> ended = true;
            default -> ledger.failed(kind, "(the load itself)", kind, String.join(" ", words), "a line that is known");
        }
    }

    String kind() {
        return kind;
    }

    long calls() {
        return calls;
    }

    /** What each of its files must look like; written by {@link #stop}. */
    Path manifest() {
        return manifest;
    }

    /** Returns when it is at work, or has ended. */
    void awaitReady() throws InterruptedException {
        ready.await();
    }

    void compare() {
        orders.println("compare");
        orders.flush();
    }

    /** Tells it to come to its end, which {@link #awaitEnd} waits for. */
    void stop() {
        orders.println("stop");
        orders.flush();
    }

    void awaitEnd() throws InterruptedException, IOException {
        int status = process.waitFor();
        listener.join();
        if (status != 0 || !Files.exists(manifest)) {
            ledger.failed(kind, "(the load itself)", kind, "status " + status, "status 0 and a manifest");
        }
    }
}
