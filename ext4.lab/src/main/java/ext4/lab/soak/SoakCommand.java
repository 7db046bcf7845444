// SPDX-License-Identifier: Apache-2.0
package ext4.lab.soak;

import ext4.lab.load.LoadMain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ext4 lab soak}. */
@Command(
        name = "soak",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Mounts a new image in the container, replaces strategy, journal, core and transport at random every",
            "2 to 5 seconds, while processes work on it: each call is held against what the kernel's ext4 returns,",
            "each file against what was made of it. Needs root, /dev/fuse and e2fsck.",
            "Exit status 0 if no call failed, no file differs, e2fsck finds nothing, nothing grows or stays.",
        })
public final class SoakCommand implements Callable<Integer> {
    /** A transport whose connection can't be handed on. */
    static final String RINGS = "fuse-uring";

    private static final List<String> TRANSPORTS = List.of("fuse", RINGS);
    private static final List<String> PLACES = List.of("mount", "kernel");

    @Option(names = "--minutes", paramLabel = "N", description = "How long (10).")
    private Integer minutes;

    @Option(names = "--seconds", paramLabel = "N", description = "How long, for short runs.")
    private Integer seconds;

    @Option(
            names = "--parts",
            split = ",",
            paramLabel = "NAME",
            description = "What is replaced: strategy, journal, core, transport; all by default.")
    private List<String> parts = Settings.PARTS;

    @Option(
            names = "--load",
            split = ",",
            paramLabel = "NAME",
            description = "What works on it: mark, data, names, remove, list, probe; all by default.")
    private List<String> loads = LoadMain.KINDS;

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            description = "fuse (default) or fuse-uring, which is not replaced itself.")
    private String transport = TRANSPORTS.getFirst();

    @Option(names = "--seed", paramLabel = "N", description = "Of everything random; printed.")
    private Long seed;

    @Option(names = "--dir", paramLabel = "DIR", description = "Medium of the image (default: /dev/shm).")
    private Path medium;

    @Option(names = "--size", paramLabel = "SIZE", description = "Of the image, as for ext4 mkfs (1G).")
    private String size = "1G";

    @Option(
            names = "--on",
            paramLabel = "PLACE",
            description = "mount, or kernel: the same loads on the kernel's ext4, without swaps.")
    private String on = PLACES.getFirst();

    @Option(names = "--keep", description = "Keep the image and the logs.")
    private boolean keep;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        words("--parts", parts, Settings.PARTS);
        words("--load", loads, LoadMain.KINDS);
        words("--transport", List.of(transport), TRANSPORTS);
        words("--on", List.of(on), PLACES);
        if (transport.equals(RINGS) && parts.equals(List.of("transport"))) {
            throw new ParameterException(spec.commandLine(), RINGS + " can't be replaced while it is mounted");
        }
        long duration = seconds != null
                ? TimeUnit.SECONDS.toNanos(seconds)
                : TimeUnit.MINUTES.toNanos(minutes == null ? 10 : minutes);
        if (duration <= 0) {
            throw new ParameterException(spec.commandLine(), "--minutes and --seconds take numbers from 1 on");
        }
        Settings settings = new Settings(
                duration,
                parts.stream()
                        .map(part -> part.toUpperCase(Locale.ROOT))
                        .distinct()
                        .toList(),
                loads.stream().distinct().toList(),
                transport,
                seed == null ? ThreadLocalRandom.current().nextLong(1, 1L << 31) : seed,
                medium,
                size,
                on.equals("kernel"),
                keep);
        try (Cleanup cleanup = new Cleanup()) {
            try {
                return new Soak(settings, cleanup, System.out).run() ? 0 : 1;
            } catch (IOException e) {
                cleanup.stopIfEnding();
                throw e;
            }
        }
    }

    private void words(String option, List<String> given, List<String> known) {
        for (String word : given) {
            if (!known.contains(word)) {
                throw new ParameterException(
                        spec.commandLine(), option + " knows no '" + word + "', only " + String.join(", ", known));
            }
        }
    }
}
