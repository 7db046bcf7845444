// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.offline;

import ext4.launcher.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The extended option {@code root_owner[=UID:GID]} of mke2fs(8): who owns the root directory of a new filesystem. A user
 * who mounts it without root can make files in it only if he does.
 */
record RootOwner(int uid, int gid) {
    private static final Pattern FORM = Pattern.compile("root_owner(?:=([0-9]{1,10}):([0-9]{1,10}))?");
    private static final long HIGHEST = 0xFFFFFFFEL; // the next one means "no change" in chown(2)

    /** Without numbers: the user and group of this process. */
    static RootOwner of(String text) throws Failure, IOException {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new Failure("'" + text + "' is not root_owner or root_owner=UID:GID");
        }
        if (form.group(1) == null) {
            Path self = Path.of("/proc/self");
            return new RootOwner(
                    (int) Files.getAttribute(self, "unix:uid"), (int) Files.getAttribute(self, "unix:gid"));
        }
        return new RootOwner(number(form.group(1)), number(form.group(2)));
    }

    private static int number(String digits) throws Failure {
        long number = Long.parseLong(digits);
        if (number > HIGHEST) {
            throw new Failure(digits + " is not the number of a user or group");
        }
        return (int) number;
    }
}
