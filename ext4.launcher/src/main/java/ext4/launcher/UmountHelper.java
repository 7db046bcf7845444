// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import ext4.api.mount.MountException;
import ext4.control.socket.ControlClient;
import ext4.control.socket.SocketPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * What {@code /sbin/umount.fuse.ext4j} runs for umount(8): as {@code ext4 umount}, so it returns when the image is clean.
 * A lazy or forced umount, and one of a mount that nobody serves any more or that is another user's, is umount(8)'s own.
 */
@Command(
        name = UmountHelper.NAME,
        hidden = true,
        exitCodeOnInvalidInput = MountHelper.BAD_INVOCATION,
        exitCodeOnExecutionException = MountHelper.MOUNT_FAILURE)
final class UmountHelper implements Callable<Integer> {
    static final String NAME = "umount.fuse.ext4j";

    @Option(names = "-f", description = "Force.")
    private boolean force;

    @Option(names = "-l", description = "Detach now, clean up later.")
    private boolean lazy;

    @Option(names = "-r", description = "Read-only if it is busy.")
    private boolean readOnly;

    @Option(names = "-n", description = "Don't write to mtab, which isn't done anyway.")
    private boolean noMtab;

    @Option(names = "-v", description = "Say what was done.")
    private boolean verbose;

    @Option(names = "-N", paramLabel = "NAMESPACE", description = "In another namespace.")
    private String namespace;

    @Option(names = "-t", paramLabel = "TYPE", description = "The type with its subtype.")
    private String type;

    @Parameters(index = "0", paramLabel = "DIR", description = "Where it is mounted.")
    private String directory;

    @Override
    public Integer call() throws Failure, MountException, IOException, InterruptedException {
        String mountpoint = Places.mountpoint(directory).toString();
        ControlClient control = new ControlClient(SocketPath.socket(SocketPath.runDirectory(), mountpoint));
        if (force || lazy || readOnly || namespace != null || !control.answers()) {
            return withoutHelper();
        }
        UmountCommand.unmount(control);
        if (verbose) {
            System.out.println(NAME + ": " + mountpoint + " unmounted");
        }
        return 0;
    }

    private int withoutHelper() throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("umount", "-i"));
        add(line, force, "-f");
        add(line, lazy, "-l");
        add(line, readOnly, "-r");
        add(line, noMtab, "-n");
        add(line, verbose, "-v");
        if (namespace != null) {
            line.addAll(List.of("-N", namespace));
        }
        line.add(directory);
        return new ProcessBuilder(line).inheritIO().start().waitFor();
    }

    private static void add(List<String> line, boolean wanted, String word) {
        if (wanted) {
            line.add(word);
        }
    }
}
