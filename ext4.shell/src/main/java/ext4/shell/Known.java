// SPDX-License-Identifier: Apache-2.0
package ext4.shell;

import ext4.api.mount.Mount;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/**
 * A mount service and what its registration says of its configuration.
 *
 * @param mount the service
 * @param pid of its configuration
 * @param name what an operator calls the configuration: its file's name, else the pid
 */
record Known(Mount mount, String pid, String name) {
    /** Where File Install notes the file that a configuration comes from. */
    private static final String FILE = "felix.fileinstall.filename";

    static Known of(Mount mount, Map<String, ?> properties) {
        String pid = String.valueOf(properties.get("service.pid"));
        Object file = properties.get(FILE);
        return new Known(mount, pid, file == null ? pid : fileName(file.toString()));
    }

    private static String fileName(String uri) {
        try {
            return String.valueOf(Path.of(URI.create(uri)).getFileName());
        } catch (IllegalArgumentException notAFile) {
            return uri;
        }
    }
}
