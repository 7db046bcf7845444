// SPDX-License-Identifier: Apache-2.0
package ext4.control.socket;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

/** Where a mount's socket and log lie. */
public final class SocketPath {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private SocketPath() {}

    /** The run directory of this user: $XDG_RUNTIME_DIR/ext4j, /run/ext4j for root, else one in the temporary directory. */
    public static Path runDirectory() {
        int user = user();
        String runtime = System.getenv("XDG_RUNTIME_DIR");
        if (user == 0 && Files.isDirectory(Path.of("/run"))) {
            return Path.of("/run/ext4j");
        }
        if (runtime != null && Files.isDirectory(Path.of(runtime))) {
            return Path.of(runtime, "ext4j");
        }
        return Path.of(System.getProperty("java.io.tmpdir"), "ext4j-" + Integer.toUnsignedString(user));
    }

    /** Creates the run directory, or makes sure that it is ours alone. */
    public static void prepare(Path directory) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        }
        if (owner(directory) != user()) {
            String owner = Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).getName();
            throw new FileSystemException(directory.toString(), null, "belongs to " + owner);
        }
        Files.setPosixFilePermissions(directory, OWNER_ONLY);
    }

    /** The user of this process by number: in a container he may have no name. */
    private static int user() {
        try {
            return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid"); // through the link
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int owner(Path file) throws IOException {
        return (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    /** The socket of the mount at {@code mountpoint}, an absolute path without symbolic links. */
    public static Path socket(Path directory, String mountpoint) {
        return directory.resolve(name(mountpoint) + ".sock");
    }

    /** The log of the process that serves the mount at {@code mountpoint}. */
    public static Path log(Path directory, String mountpoint) {
        return directory.resolve(name(mountpoint) + ".log");
    }

    /** A name of its own for each mount point, short since a socket's path has room for 107 bytes only. */
    private static String name(String mountpoint) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(mountpoint.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java platform has it
        }
    }
}
