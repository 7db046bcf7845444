// SPDX-License-Identifier: Apache-2.0
package ext4.bench;

import ext4.bench.load.TreeLoad;
import ext4.bench.measure.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the operator asked for. Numbers that were not given depend on {@code --quick}. */
final class Settings {
    static final List<String> REPORTS = List.of("fchown", "unlink");
    static final List<String> PEERS = List.of("kernel-ext4", "kernel-xfs", "fuse2fs", "null");
    static final List<String> PLACES = List.of("in-process", "mount");
    static final List<String> JOURNALS = List.of("none", "journal");
    private static final String ALL = "all";
    private static final long LEAST_IMAGE = 1L << 30;
    /** Bytes of a filesystem for each inode, by default of mke2fs. */
    private static final long INODE_RATIO = 16_384;

    @Option(names = "--report", split = ",", paramLabel = "NAME", description = "fchown, unlink; both by default.")
    private List<String> reports = REPORTS;

    @Option(
            names = "--peer",
            split = ",",
            paramLabel = "NAME",
            description = "kernel-ext4, kernel-xfs, fuse2fs, null or all: measured in the same rounds.")
    private List<String> peers = List.of();

    @Option(names = "--place", split = ",", paramLabel = "NAME", description = "in-process, mount; both by default.")
    private List<String> places = PLACES;

    @Option(
            names = "--journal",
            split = ",",
            paramLabel = "MODE",
            description = "none, journal. Default: both for fchown, journal for unlink.")
    private List<String> journals;

    @Option(names = "--strategy", split = ",", paramLabel = "NAME", description = "global, sharded; both by default.")
    private List<String> strategies = Stack.STRATEGIES;

    @Option(
            names = "--transport",
            split = ",",
            paramLabel = "NAME",
            description = "Of mounts: fuse, fuse-uring; default: fuse.")
    private List<String> transports = List.of(Transports.NAMES.getFirst());

    @Option(names = "--tasks", split = ",", paramLabel = "N", description = "Default: 1,2,4,8; for unlink 1,2,8.")
    private List<Integer> tasks;

    @Option(names = "--rounds", paramLabel = "N", description = "How often each run is made, in turn (3; quick 1).")
    private Integer rounds;

    @Option(names = "--millis", paramLabel = "N", description = "Length of a run of fchown (400; quick 100).")
    private Integer millis;

    @Option(names = "--files", paramLabel = "N", description = "In each directory, through FUSE (1000; quick 100).")
    private Integer files;

    @Option(
            names = "--fast-files",
            paramLabel = "N",
            description = "In each directory, in-process and for the kernel's own (5000; quick 300).")
    private Integer fastFiles;

    @Option(names = "--warmup", paramLabel = "MILLIS", description = "Of each subject (2500; quick 200).")
    private Integer warmup;

    @Option(names = "--commit", paramLabel = "SECONDS", description = "Mount option commit= of all (default: 1).")
    private int commit = 1;

    @Option(names = "--direct", description = "In-process: call the core itself, without the gate of a mount.")
    private boolean direct;

    @Option(names = "--dir", paramLabel = "DIR", description = "Medium of all images (default: /dev/shm).")
    private Path medium;

    @Option(names = "--out", paramLabel = "DIR", description = "Writes samples.csv and charts there.")
    private Path out;

    @Option(names = "--csv", paramLabel = "FILE", description = "Writes every run there.")
    private Path csv;

    @Option(names = "--quick", description = "Short runs, one round: shows that it works, not how fast.")
    private boolean quick;

    @Option(names = "--seconds", paramLabel = "N", description = "Length of --live (9; quick 2) and --profile (3; 1).")
    private Integer seconds;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** Throws if a word is none of those that there are. */
    void check() {
        words("--report", reports, REPORTS);
        words("--place", places, PLACES);
        words("--strategy", strategies, Stack.STRATEGIES);
        words("--transport", transports, Transports.NAMES);
        if (!peers.equals(List.of(ALL))) {
            words("--peer", peers, PEERS);
        }
        if (journals != null) {
            words("--journal", journals, JOURNALS);
        }
        if (tasks != null && tasks.stream().anyMatch(n -> n < 1 || n > 64)) {
            throw new ParameterException(spec.commandLine(), "--tasks takes numbers from 1 to 64");
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

    List<Workload> workloads() {
        List<Workload> workloads = new ArrayList<>();
        if (reports.contains("fchown")) {
            workloads.add(new Workload.Fchown(tasks(List.of(1, 2, 4, 8)), number(millis, 400, 100)));
        }
        if (reports.contains("unlink")) {
            workloads.add(new Workload.Unlink(tasks(List.of(1, 2, 8)), files(), fastFiles()));
        }
        return workloads;
    }

    private List<Integer> tasks(List<Integer> usual) {
        return tasks == null ? usual : tasks.stream().distinct().sorted().toList();
    }

    /** Journal modes of a report: true with one. */
    List<Boolean> journals(Workload workload) {
        if (journals != null) {
            return journals.stream().map("journal"::equals).distinct().toList();
        }
        return workload instanceof Workload.Fchown ? List.of(false, true) : List.of(true);
    }

    List<String> peers() {
        return peers.equals(List.of(ALL)) ? PEERS : peers;
    }

    boolean inProcess() {
        return places.contains("in-process");
    }

    boolean mounted() {
        return places.contains("mount");
    }

    List<String> strategies() {
        return strategies;
    }

    List<String> transports() {
        return transports;
    }

    int rounds() {
        return number(rounds, 3, 1);
    }

    int files() {
        return number(files, 1000, 100);
    }

    private int fastFiles() {
        return number(fastFiles, 5000, 300);
    }

    int warmupMillis() {
        return number(warmup, 2500, 200);
    }

    int commitSeconds() {
        return commit;
    }

    boolean direct() {
        return direct;
    }

    Path medium() {
        return medium;
    }

    Path out() {
        return out;
    }

    Path csv() {
        return csv;
    }

    int liveMillis() {
        return 1000 * number(seconds, 9, 2);
    }

    int profileMillis() {
        return 1000 * number(seconds, 3, 1);
    }

    boolean quick() {
        return quick;
    }

    /** Size of each image: room for all files twice, since a subject's round begins before all of the last is written. */
    long imageBytes() {
        long inodes = 2L * TreeLoad.DIRECTORIES * Math.max(files(), fastFiles());
        return Math.max(LEAST_IMAGE, inodes * INODE_RATIO);
    }

    private int number(Integer given, int usual, int quickly) {
        if (given != null && given < 1) {
            throw new ParameterException(spec.commandLine(), given + " is not a positive number");
        }
        return given != null ? given : quick ? quickly : usual;
    }
}
