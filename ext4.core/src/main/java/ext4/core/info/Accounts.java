// SPDX-License-Identifier: Apache-2.0
package ext4.core.info;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Names of users and groups from passwd(5) and group(5). */
final class Accounts {
    private Accounts() {}

    /** The name of an id in one of these files, or "unknown". */
    static String name(String file, int id) {
        String wanted = Integer.toString(id);
        try {
            for (String line : Files.readAllLines(Path.of(file), StandardCharsets.ISO_8859_1)) {
                String[] fields = line.split(":");
                if (fields.length > 2 && fields[2].equals(wanted)) {
                    return fields[0];
                }
            }
        } catch (IOException e) {
            return "unknown"; // there is no such file where users come from elsewhere
        }
        return "unknown";
    }
}
