// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.demo;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Whether this user can mount through FUSE. */
final class FuseDevice {
    private static final Path DEVICE = Path.of("/dev/fuse");

    private FuseDevice() {}

    /** Why not, or null if it can be tried. */
    static String whyNot() {
        if (!Files.exists(DEVICE)) {
            return "there is no /dev/fuse (modprobe fuse)";
        }
        if (!Files.isReadable(DEVICE) || !Files.isWritable(DEVICE)) {
            return "this user may not open /dev/fuse";
        }
        if (!"root".equals(System.getProperty("user.name")) && onPath("fusermount3") == null) {
            return "only root can mount without fusermount3 (package fuse3)";
        }
        return null;
    }

    /** A program by its name, or null. */
    static Path onPath(String program) {
        String path = System.getenv("PATH");
        List<String> folders = new ArrayList<>(Arrays.asList(path == null ? new String[0] : path.split(":")));
        folders.addAll(List.of("/usr/sbin", "/sbin", "/usr/bin"));
        return folders.stream()
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }
}
