// SPDX-License-Identifier: Apache-2.0
package ext4.lab.load;

import ext4.lab.names.NameWorker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A load as a process: {@code LoadMain KIND MOUNTPOINT SEED MANIFEST}. It works until standard input says {@code stop} or
 * ends; {@code compare} lets it compare its files. At the end it leaves what each file must look like in the manifest.
 */
public final class LoadMain {
    /** The kinds of load, in the order in which they are told. */
    public static final List<String> KINDS = List.of("mark", "data", "names", "remove", "list", "probe");

    private LoadMain() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        String kind = args[0];
        Path root = Path.of(args[1]);
        long seed = Long.parseLong(args[2]);
        Path manifest = Path.of(args[3]);
        Outcome outcome = new Outcome(System.out);
        Path directory = Files.createDirectory(root.resolve(kind));
        Crew crew = new Crew(outcome, directory.toString(), seed);
        start(crew, kind);
        try (ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().factory())) {
            clock.scheduleAtFixedRate(
                    () -> outcome.say("calls", Long.toString(outcome.calls())), 1, 1, TimeUnit.SECONDS);
            obey(crew);
            clock.shutdownNow();
        }
        Map<String, String> expected = new TreeMap<>();
        crew.stop()
                .forEach((path, text) ->
                        expected.put(root.relativize(Path.of(path)).toString(), text));
        Manifest.write(manifest, expected);
        outcome.say("calls", Long.toString(outcome.calls()));
        outcome.say("ended");
    }

    private static void start(Crew crew, String kind) {
        switch (kind) {
            case "mark" -> crew.start(MarkWorker.DIRECTORIES / 2, index -> MarkWorker::new);
            case "data" -> crew.start(2, index -> DataWorker::new);
            case "names" -> crew.start(3, index -> NameWorker::new);
            case "remove" -> crew.start(4, index -> RemoveWorker::new);
            case "list" ->
                crew.start(
                        2,
                        index -> (hands, directory, seed) -> index == 0
                                ? ListWorker.large(hands, directory, seed)
                                : ListWorker.small(hands, directory, seed));
            case "probe" -> crew.start(1, index -> ProbeWorker::new);
            default -> throw new IllegalArgumentException("no load is called " + kind + "; there are " + KINDS);
        }
    }

    private static void obey(Crew crew) throws IOException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = orders.readLine(); order != null && !order.equals("stop"); order = orders.readLine()) {
            if (order.equals("compare")) {
                crew.askToCompare();
            }
        }
    }
}
