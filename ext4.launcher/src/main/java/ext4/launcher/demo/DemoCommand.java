// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.demo;

import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import ext4.control.socket.ControlClient;
import ext4.launcher.Daemon;
import ext4.launcher.Failure;
import ext4.launcher.UmountCommand;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ext4 demo}: the product in under two minutes. */
@Command(
        name = "demo",
        description = "Makes an image, mounts it, switches its orphan strategy under load, checks it.",
        mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
    private static final int DIRECTORIES = 8;
    private static final int WARM_UP_FILES = 150;

    private final PrintStream out = System.out;

    @Spec
    private CommandSpec spec;

    @Option(names = "--files", paramLabel = "N", defaultValue = "1500", description = "Files a directory (1500).")
    private int files;

    @Option(names = "--size", paramLabel = "SIZE", defaultValue = "512M", description = "Size of the image (512M).")
    private String size;

    @Option(names = "--in-process", description = "Without FUSE, also where it can be used.")
    private boolean inProcess;

    @Option(names = "--keep", description = "Keep the image.")
    private boolean keep;

    @Override
    public Integer call() throws Failure, MountException, IOException, InterruptedException {
        if (files < 1 || files > 100_000) {
            throw new Failure("--files takes 1 to 100000");
        }
        Path folder = Files.createTempDirectory("ext4-demo-");
        Path image = folder.resolve("demo.img");
        Path mountpoint = Files.createDirectory(folder.resolve("mnt"));
        try {
            // the root directory is to be his who makes files in it
            out.println("== make an image: ext4 mkfs " + image + " --size " + size + " -E root_owner");
            if (command("mkfs", image.toString(), "--size", size, "-E", "root_owner") != 0) {
                return 1;
            }
            boolean good = onMount(image, mountpoint);
            good &= checks(image);
            out.println(good ? "== no call failed, the image is clean" : "== something went wrong, see above");
            return good ? 0 : 1;
        } finally {
            Files.deleteIfExists(mountpoint);
            if (keep) {
                out.println("== kept " + image);
            } else {
                Files.deleteIfExists(image);
                Files.deleteIfExists(folder);
            }
        }
    }

    private boolean onMount(Path image, Path mountpoint)
            throws Failure, MountException, IOException, InterruptedException {
        String why = inProcess ? "asked for" : FuseDevice.whyNot();
        out.println("== mount it: ext4 mount -o orphan=global " + image + " " + mountpoint);
        if (why != null) {
            out.println("   in-process, without FUSE: " + why);
        }
        String transport = why == null ? null : Mount.NO_TRANSPORT;
        ControlClient control = Daemon.start(image, mountpoint, "orphan=global", transport);
        try {
            return rounds(control, mountpoint, why == null);
        } finally {
            out.println("== unmount it: ext4 umount " + mountpoint);
            UmountCommand.unmount(control);
        }
    }

    private boolean rounds(ControlClient control, Path mountpoint, boolean fuse)
            throws Failure, MountException, IOException, InterruptedException {
        Path door = fuse ? mountpoint : null;
        new Loader(control, door, DIRECTORIES, WARM_UP_FILES).run("warm-up", line -> {});
        out.println("== " + DIRECTORIES + " directories of " + files + " empty files, made and removed side by side");
        out.println(Round.header());
        Loader loader = new Loader(control, door, DIRECTORIES, files);
        boolean good = round(loader, "one", new Round("global"), () -> {});
        List<String> refused = new ArrayList<>();
        good &= round(loader, "two", new Round("global -> sharded"), () -> switchStrategy(control, refused));
        good &= round(loader, "three", new Round("sharded"), () -> {});
        out.println("== switched while a quarter of the files was gone: ext4 strategy " + mountpoint + " sharded");
        control.ask("switches", line -> out.println("   " + line));
        refused.forEach(reason -> out.println("   refused: " + reason));
        return good && refused.isEmpty();
    }

    private static void switchStrategy(ControlClient control, List<String> refused) {
        try {
            control.ask("strategy sharded");
        } catch (MountException | IOException e) {
            refused.add(e.getMessage());
        }
    }

    private boolean round(Loader loader, String directory, Round round, Runnable atQuarter)
            throws Failure, MountException, IOException, InterruptedException {
        Thread[] other = new Thread[1];
        loader.run(directory, line -> {
            round.take(line);
            if (line.equals("quarter")) {
                other[0] = Thread.ofPlatform().start(atQuarter); // the load goes on meanwhile
            }
        });
        if (other[0] != null) {
            other[0].join();
        }
        out.println(round);
        if (round.failure() != null) {
            out.println("   " + round.failure());
        }
        return round.failure() == null;
    }

    private boolean checks(Path image) throws IOException, InterruptedException {
        out.println("== check it: ext4 check " + image);
        boolean good = command("check", image.toString()) == 0;
        Path e2fsck = FuseDevice.onPath("e2fsck");
        if (e2fsck == null) {
            out.println("== e2fsck is not installed");
            return good;
        }
        out.println("== check it: e2fsck -fn " + image);
        out.flush();
        Process judge = new ProcessBuilder(e2fsck.toString(), "-fn", image.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .start();
        return judge.waitFor() == 0 && good;
    }

    /** Runs another command of this program in this process. */
    private int command(String... words) {
        CommandLine root = spec.root().commandLine();
        return root.execute(words);
    }
}
