// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import ext4.api.mount.MountException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * What {@code /sbin/mount.fuse.ext4j} runs when mount(8) meets the type {@code fuse.ext4j}: see "External helpers" in
 * mount(8), for the exit status "Exit status" there.
 */
@Command(
        name = MountHelper.NAME,
        hidden = true,
        exitCodeOnInvalidInput = MountHelper.BAD_INVOCATION,
        exitCodeOnExecutionException = MountHelper.MOUNT_FAILURE)
final class MountHelper implements Callable<Integer> {
    static final String NAME = "mount.fuse.ext4j";
    static final String TYPE = "fuse.ext4j";
    static final int BAD_INVOCATION = 1;
    static final int MOUNT_FAILURE = 32;

    @Option(names = "-s", description = "Tolerate options that are not known.")
    private boolean sloppy;

    @Option(names = "-f", description = "Do everything but mount.")
    private boolean fake;

    @Option(names = "-n", description = "Don't write to mtab, which isn't done anyway.")
    private boolean noMtab;

    @Option(names = "-v", description = "Say what was done.")
    private boolean verbose;

    @Option(names = "-N", paramLabel = "NAMESPACE", description = "Refused.")
    private String namespace;

    @Option(names = "-t", paramLabel = "TYPE", description = "The type with its subtype.")
    private String type;

    @Option(names = "-o", paramLabel = "OPTIONS", description = "Mount options.")
    private List<String> options = List.of();

    @Parameters(index = "0", paramLabel = "SPEC", description = "Image file or block device.")
    private String spec;

    @Parameters(index = "1", paramLabel = "DIR", description = "Directory to mount on.")
    private String directory;

    @Override
    public Integer call() throws Failure, MountException, IOException, InterruptedException {
        if (type != null && !type.equals(TYPE) && !type.equals("ext4j")) {
            throw new Failure(directory + ": unknown filesystem type '" + type + "'");
        }
        if (namespace != null) {
            throw new Failure(directory + ": mounting in another namespace (-N) is not supported");
        }
        FstabWords words = FstabWords.of(String.join(",", options));
        if (words.remount()) {
            return remount(words.options());
        }
        Path image = Places.image(spec);
        Path mountpoint = Places.directory(directory);
        if (!fake) {
            String asked = sloppy ? "sloppy," + words.options() : words.options();
            Daemon.start(image, mountpoint, asked, null);
            markForUmount(image, mountpoint);
        }
        if (verbose) {
            System.out.println(NAME + ": " + image + " mounted on " + mountpoint + ".");
        }
        return 0;
    }

    private int remount(String words) throws Failure, MountException, IOException {
        if (!fake) {
            Places.remount(directory, "remount," + (sloppy ? "sloppy," : "") + words);
        }
        if (verbose) {
            System.out.println(NAME + ": " + directory + " remounted.");
        }
        return 0;
    }

    /**
     * umount(8) calls a helper for all its requests only where the marker {@code helper=} says so. It is kept in
     * /run/mount/utab, which mount(8) writes for the superuser.
     */
    private static void markForUmount(Path image, Path mountpoint) throws IOException, InterruptedException {
        if (!Files.isExecutable(Path.of("/sbin", UmountHelper.NAME))
                || !"root".equals(System.getProperty("user.name"))) {
            return;
        }
        List<String> line = List.of(
                "mount", "-i", "-f", "-t", TYPE, "-o", "helper=" + TYPE, image.toString(), mountpoint.toString());
        if (new ProcessBuilder(line).inheritIO().start().waitFor() != 0) {
            System.err.println(NAME + ": " + mountpoint + ": mounted, but umount(8) will not wait for its end");
        }
    }
}
