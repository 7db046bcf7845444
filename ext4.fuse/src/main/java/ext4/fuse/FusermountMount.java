// SPDX-License-Identifier: Apache-2.0
package ext4.fuse;

import ext4.api.fs.DeviceException;
import ext4.api.fs.MountPoint;
import ext4.fuse.channel.Descriptors;
import ext4.sys.Linux;
import ext4.sys.Spawn;
import ext4.sys.SystemCalls;
import ext4.sys.UnixSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Mounted by fusermount3(1), which is set-user-ID root and lets any user mount on a directory that is his; set-user-ID
 * bits and device files have no effect there. It opens /dev/fuse, mounts, and sends the descriptor over a socket that it
 * is handed.
 *
 * @param program fusermount3
 * @param directory the mount point's real path
 */
record FusermountMount(Path program, String directory, int descriptor) implements Attachment {
    static final String NAME = "fusermount3";
    private static final String PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
    /** It is set-user-ID root: it gets what it needs and nothing else. Its messages are to be understood below. */
    private static final List<String> ENVIRONMENT = List.of("PATH=" + PATH, "LC_ALL=C", "_FUSE_COMMFD=" + Spawn.HANDED);

    /** Where the program is, or null. */
    static Path installed() {
        String own = System.getenv("PATH");
        return Arrays.stream(((own == null ? "" : own + ":") + PATH).split(":"))
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> Path.of(folder, NAME))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    /**
     * Mounts.
     *
     * @throws DeviceException with the program's own words if it refuses
     */
    static FusermountMount attach(SystemCalls calls, Path program, MountPoint where, String directory) {
        List<String> command = List.of(program.toString(), "-o", options(where), "--", directory);
        try (UnixSocket socket = new UnixSocket(calls)) {
            Spawn.Result result = Spawn.run(calls, command, ENVIRONMENT, socket.theirs());
            if (result.status() != 0) {
                throw new DeviceException(where.directory() + ": " + words(result));
            }
            int sent = socket.receive();
            if (sent < 0) {
                throw new DeviceException(
                        where.directory() + ": " + NAME + " sent no descriptor: " + Linux.errorText(-sent));
            }
            FusermountMount mounted = new FusermountMount(program, directory, sent);
            try {
                // what was sent blocks in read(2); a further descriptor of the connection, opened here, does not
                return new FusermountMount(program, directory, Descriptors.clone(calls, sent));
            } catch (RuntimeException e) {
                mounted.unmount(calls, true);
                throw e;
            } finally {
                calls.close(sent);
            }
        }
    }

    private static String options(MountPoint where) {
        List<String> words = new ArrayList<>();
        words.add(where.readOnly() ? "ro" : "rw");
        words.add("fsname=" + where.source().replace("\\", "\\\\").replace(",", "\\,"));
        words.add("subtype=" + Mounts.SUBTYPE);
        words.add("default_permissions");
        if (where.allowOther()) {
            words.add("allow_other");
        }
        // it knows these; strictatime it refuses, and access times are ours anyway
        where.flags().stream().filter(flag -> !flag.equals("strictatime")).forEach(words::add);
        return String.join(",", words);
    }

    @Override
    public Map<String, String> words() {
        return Map.of(Mounts.WAY, NAME, Mounts.DIRECTORY, directory, Mounts.PROGRAM, program.toString());
    }

    @Override
    public int unmount(SystemCalls calls, boolean lazy) {
        List<String> command = new ArrayList<>(List.of(program.toString(), "-u"));
        if (lazy) {
            command.add("-z");
        }
        command.addAll(List.of("--", directory));
        Spawn.Result result = Spawn.run(calls, command, ENVIRONMENT.subList(0, 2), -1);
        if (result.status() == 0) {
            return 0;
        }
        String words = words(result);
        if (words.contains("resource busy")) {
            return -Linux.EBUSY;
        }
        if (words.contains("not found in") || words.contains("not mounted") || words.contains("Invalid argument")) {
            return -Linux.EINVAL;
        }
        throw new DeviceException(directory + ": " + words);
    }

    /** The program has no remount, and this user no right to one: changes are refused by the filesystem alone. */
    @Override
    public int remount(SystemCalls calls, boolean readOnly) {
        return 0;
    }

    /** What the program said, in one line. */
    private static String words(Spawn.Result result) {
        if (result.status() < 0) {
            return NAME + " can't be run: " + Linux.errorText(-result.status());
        }
        String said = result.output().lines().filter(line -> !line.isBlank()).collect(Collectors.joining("; "));
        return said.isEmpty() ? NAME + " ended with status " + result.status() : said;
    }
}
