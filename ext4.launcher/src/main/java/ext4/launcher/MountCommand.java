// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import ext4.api.mount.Mount;
import ext4.api.mount.MountException;
import ext4.launcher.container.Container;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ext4 mount}: returns when mounted, or with {@code -f} serves until unmounted and flushed. */
@Command(
        name = "mount",
        description = "Mounts an ext4 image or block device.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Options, comma-separated: ro, rw, orphan=NAME, noload, sync, noatime, relatime, strictatime,",
            "commit=SECONDS, barrier, nobarrier, errors=continue|remount-ro, allow_other, transport=fuse|fuse-uring,",
            "keep or keep=process|systemd (it outlives its process: ext4 restart).",
        })
final class MountCommand implements Callable<Integer> {
    @Option(names = "-o", paramLabel = "OPTIONS", description = "Mount options, see below.")
    private List<String> options = List.of();

    @Option(
            names = {"-f", "--foreground"},
            description = "Serve in this process; ends when everything is flushed.")
    private boolean foreground;

    @Option(names = "--keep", description = "Keep it beyond the process that serves it, as -o keep.")
    private boolean keep;

    @Option(names = "--transport", hidden = true)
    private String transport;

    @Parameters(index = "0", paramLabel = "IMAGE", description = "Image file or block device.")
    private String image;

    @Parameters(index = "1", arity = "0..1", paramLabel = "MOUNTPOINT", description = "Directory to mount on.")
    private String mountpoint;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Failure, MountException, IOException, InterruptedException {
        String words = String.join(",", keep ? withKeep(options) : options);
        if (Arrays.asList(words.split(",")).contains("remount")) {
            Places.remount(mountpoint == null ? image : mountpoint, words);
            return 0;
        }
        if (mountpoint == null) {
            throw new ParameterException(spec.commandLine(), "Missing required parameter: 'MOUNTPOINT'");
        }
        Path source = Places.image(image);
        Path directory = foreground && Kept.mayTakeOver() ? Places.unseen(mountpoint) : Places.directory(mountpoint);
        if (foreground) {
            Map<String, Object> asked = new HashMap<>();
            asked.put(Mount.IMAGE, source.toString());
            asked.put(Mount.MOUNTPOINT, directory.toString());
            asked.put(Mount.OPTIONS, words);
            if (transport != null) {
                asked.put(Mount.TRANSPORT, transport);
            }
            return new Container(Home.directory(), asked).serve();
        }
        Daemon.start(source, directory, words, transport);
        return 0;
    }

    private static List<String> withKeep(List<String> options) {
        return Stream.concat(options.stream(), Stream.of("keep")).toList();
    }
}
