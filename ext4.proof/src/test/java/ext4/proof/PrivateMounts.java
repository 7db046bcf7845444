// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;

/**
 * Shell scripts in a mount namespace of their own, where a test may put files of its making over /dev/fuse, /etc/fuse.conf
 * or a program without the host seeing any of it. What is mounted inside is gone with the script's last process.
 */
final class PrivateMounts {
    private static final String PRELUDE = """
            set -eu
            cd /
            export LC_ALL=C
            # a directory of device files, wherever the temporary folder lies
            mkdir -p "$T/dev"
            mount -t tmpfs -o mode=755 ext4-test "$T/dev"
            # over WHAT FROM: a file in another's place
            over() { mount --bind "$2" "$1"; }
            # /dev/fuse as udev makes it, with that mode
            fuse_device() {
              mknod -m "$1" "$T/dev/fuse" c 10 229
              over /dev/fuse "$T/dev/fuse"
            }
            # runs a program as a user who has nothing but his own folder
            user() {
              setpriv --reuid=65534 --regid=65534 --clear-groups \\
                env HOME="$T/user" XDG_RUNTIME_DIR="$T/user" JAVA_HOME="$JAVA_HOME" "$@"
            }
            """;

    private final Path temp;

    /** @param temp a folder of the test; everyone may enter it from now on */
    PrivateMounts(Path temp) throws IOException {
        this.temp = temp;
        Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path user = Files.createDirectory(temp.resolve("user"));
        Files.setAttribute(user, "unix:uid", 65534);
        Files.setAttribute(user, "unix:gid", 65534);
    }

    /** Copies the command and what it runs from, as a clone may lie where only root can enter. */
    void installCommand() throws IOException {
        Path clone = Ext4.command().getParent();
        Path copy = temp.resolve("dist");
        for (String part : new String[] {"ext4", "sbin", ".mvn/find-jdk", "ext4.launcher/target/home"}) {
            Path from = clone.resolve(part);
            if (!Files.exists(from)) {
                continue;
            }
            try (Stream<Path> tree = Files.walk(from)) {
                for (Path each : (Iterable<Path>) tree::iterator) {
                    Path to = copy.resolve(clone.relativize(each).toString());
                    Files.createDirectories(to.getParent());
                    if (!Files.isDirectory(each)) {
                        Files.copy(each, to);
                    }
                }
            }
        }
        Tool.run("chmod", "-R", "go+rX", copy).ok();
    }

    /** Runs a script, with {@code $T} as the folder. */
    Tool.Result run(String script) {
        return Tool.run(
                "unshare",
                "--mount",
                "--propagation",
                "private",
                "env",
                "T=" + temp,
                "JAVA_HOME=" + System.getProperty("java.home"),
                "sh",
                "-c",
                PRELUDE + script);
    }
}
