// SPDX-License-Identifier: Apache-2.0
package ext4.lab.kill;

import ext4.lab.soak.Cleanup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ext4 lab kill}. */
@Command(
        name = "kill",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Mounts a new image by the ext4 command and works on it; then the process that serves it is killed, told to end,",
            "given too little memory, disk, file size or descriptors. Afterwards the mount point can be unmounted, the image",
            "recovers, here and by e2fsck, all that fsync returned 0 for is there, and a process that did not end goes on or",
            "its log says why not. Needs root, /dev/fuse and e2fsprogs.",
            "Exit status 0 if no promise was broken, nothing was wedged, silent or unclean.",
        })
public final class KillCommand implements Callable<Integer> {
    private static final List<String> TRANSPORTS = List.of("fuse", "fuse-uring");
    private static final String SIZE = "96M";
    private static final String SPARSE = "512M";
    private static final long ROOM = 40L << 20;

    @Option(names = "--rounds", paramLabel = "N", description = "Of each blow (1).")
    private int rounds = 1;

    @Option(
            names = "--blow",
            split = ",",
            paramLabel = "NAME",
            description = "kill, term, memory, disk, file_size, files; all by default.")
    private List<String> blows = Arrays.stream(Blow.values()).map(Blow::word).toList();

    @Option(names = "--transport", paramLabel = "NAME", description = "fuse (default) or fuse-uring.")
    private String transport = TRANSPORTS.getFirst();

    @Option(names = "--seed", paramLabel = "N", description = "Of everything random; printed.")
    private Long seed;

    @Option(names = "--dir", paramLabel = "DIR", description = "Medium of the images (default: /dev/shm).")
    private Path medium;

    @Spec
    private CommandSpec spec;

    private int promises;
    private int broken;
    private int wedged;
    private int silent;
    private int unclean;

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Blow> chosen = blows.stream().map(this::blow).toList();
        if (!TRANSPORTS.contains(transport)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--transport knows no '" + transport + "', only " + String.join(", ", TRANSPORTS));
        }
        if (rounds <= 0) {
            throw new ParameterException(spec.commandLine(), "--rounds takes a number from 1 on");
        }
        long first = seed == null ? ThreadLocalRandom.current().nextLong(1, 1L << 31) : seed;
        System.out.println("seed " + first);
        try (Cleanup cleanup = new Cleanup()) {
            for (int i = 0; i < rounds; i++) {
                for (Blow blow : chosen) {
                    round(cleanup, blow, first + i);
                }
            }
        }
        System.out.println("kill rounds: " + rounds * chosen.size() + ", promises: " + promises + ", broken: " + broken
                + ", wedged: " + wedged + ", silent: " + silent + ", unclean: " + unclean);
        return broken + wedged + silent + unclean == 0 ? 0 : 1;
    }

    private Blow blow(String word) {
        return Arrays.stream(Blow.values())
                .filter(each -> each.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "--blow knows no '" + word + "', only kill, term, memory, disk, file_size, files"));
    }

    private void round(Cleanup cleanup, Blow blow, long own) throws IOException, InterruptedException {
        try (Site site = new Site(cleanup, medium, blow == Blow.DISK ? ROOM : 0)) {
            site.mkfs(blow == Blow.DISK || blow == Blow.MEMORY ? SPARSE : SIZE);
            Round.Result result = new Round(blow, site, own).run(transport);
            promises += result.promises();
            broken += result.broken().isEmpty() ? 0 : 1;
            wedged += result.wedged().isEmpty() ? 0 : 1;
            silent += result.silent().isEmpty() ? 0 : 1;
            unclean += result.unclean().isEmpty() ? 0 : 1;
            System.out.println(
                    blow.word() + " (--seed " + own + "): " + result.promises() + " promises, process " + result.end());
            if (!result.isGood()) {
                for (List<String> each : List.of(result.broken(), result.wedged(), result.silent(), result.unclean())) {
                    each.forEach(line -> System.out.println("  " + line));
                }
                System.out.println("  log of the process:\n" + site.logged().indent(4));
            }
        } catch (IOException e) {
            cleanup.stopIfEnding();
            throw e;
        }
    }
}
