// SPDX-License-Identifier: Apache-2.0
package ext4.bench.profile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The list of all atomic and volatile fields of the parts that a request passes through, with who writes them and which
 * threads meet there. It is kept as text in the resources of this package; a test holds it against the classes.
 */
public final class SharedWrites {
    /** Packages that a create, setattr or unlink passes through. */
    public static final List<String> PATH = List.of(
            "ext4.core.alloc",
            "ext4.core.cache",
            "ext4.core.dir",
            "ext4.core.file",
            "ext4.core.inode",
            "ext4.core.mount",
            "ext4.core.name",
            "ext4.core.orphan",
            "ext4.core.volume",
            "ext4.journal.engine",
            "ext4.journal.inplace",
            "ext4.journal.log",
            "ext4.mount.gate",
            "ext4.mount.observe",
            "ext4.orphan.global",
            "ext4.orphan.sharded");

    /**
     * One field.
     *
     * @param type its class
     * @param field its name
     * @param sharing {@code striped}, {@code object} (an inode's, block's or group's own), {@code read} (written seldom, by
     *     no request) or {@code all}
     * @param text what it is for and who writes it
     */
    public record Row(String type, String field, String sharing, String text) {}

    private SharedWrites() {}

    /** All rows. */
    public static List<Row> rows() throws IOException {
        return text().lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(SharedWrites::row)
                .toList();
    }

    private static Row row(String line) {
        String[] words = line.split("\\s+", 3);
        int hash = words[0].indexOf('#');
        return new Row(words[0].substring(0, hash), words[0].substring(hash + 1), words[1], words[2]);
    }

    /** The file as it is. */
    public static String text() throws IOException {
        try (InputStream in = SharedWrites.class.getResourceAsStream("/ext4/bench/profile/shared-writes.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
