// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import ext4.api.mount.MountException;
import ext4.control.socket.ControlClient;
import ext4.control.socket.SocketPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Names of images and mount points as the operator gives them, and the sockets that belong to them. */
final class Places {
    private Places() {}

    /** Absolute path of an image. */
    static Path image(String given) throws Failure {
        Path path = Path.of(given);
        if (!Files.exists(path)) {
            throw new Failure(given + ": No such file or directory");
        }
        if (Files.isDirectory(path)) {
            throw new Failure(given + ": Is a directory");
        }
        try {
            return path.toRealPath();
        } catch (IOException e) {
            throw new Failure(given + ": " + e.getMessage());
        }
    }

    /** Absolute path of a directory to mount on. */
    static Path directory(String given) throws Failure {
        Path path = Path.of(given);
        if (!Files.exists(path)) {
            throw new Failure(given + ": mount point does not exist");
        }
        if (!Files.isDirectory(path)) {
            throw new Failure(given + ": mount point is not a directory");
        }
        return mountpoint(given);
    }

    /** Absolute path of a mount point that must not be looked at, as nobody may answer; its parent may. */
    static Path unseen(String given) throws Failure {
        Path path = Path.of(given).toAbsolutePath().normalize();
        try {
            return path.getParent() == null
                    ? path
                    : path.getParent().toRealPath().resolve(path.getFileName());
        } catch (IOException e) {
            throw new Failure(given + ": No such file or directory");
        }
    }

    /** Absolute path of a mount point, also one whose server is dead, so that it can't be looked at. */
    static Path mountpoint(String given) throws Failure {
        Path path = Path.of(given).toAbsolutePath().normalize();
        try {
            return path.toRealPath();
        } catch (IOException unreachable) {
            return unseen(given);
        }
    }

    /** The control socket of what is mounted there. */
    static ControlClient control(String given) throws Failure {
        Path socket =
                SocketPath.socket(SocketPath.runDirectory(), mountpoint(given).toString());
        ControlClient client = new ControlClient(socket);
        if (!client.answers()) {
            throw new Failure(given + ": not mounted by this command, or by another user");
        }
        return client;
    }

    /** Asks what is mounted there to change, for example to {@code remount,ro}. */
    static void remount(String given, String words) throws Failure, MountException, IOException {
        if (words.matches(".*\\s.*")) {
            throw new Failure("'" + words + "' has blanks; options are separated by commas");
        }
        control(given).ask("remount " + FstabWords.of(words).options());
    }
}
