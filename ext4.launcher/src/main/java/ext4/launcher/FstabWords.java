// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Mount options as mount(8) hands them to a helper: what it means for itself, or for those who read fstab(5), is taken out
 * and the rest left for the filesystem.
 *
 * @param options for the filesystem, comma-separated
 * @param remount whether an existing mount is to be changed
 */
record FstabWords(String options, boolean remount) {
    private static final Pattern FOR_OTHERS = Pattern.compile("auto|noauto|nofail|_netdev|users|nouser|nousers"
            + "|owner|noowner|group|nogroup|(?:user|comment|uhelper|helper)(?:=.*)?|[xX]-.*");
    /** What these three imply, unless a later word says otherwise: see mount(8). */
    private static final Pattern BY_USERS = Pattern.compile("(?:user(?:=.*)?|users)");

    private static final Pattern BY_OWNER = Pattern.compile("owner|group");
    /** What the kernel shows of a FUSE mount, which mount(8) repeats to a remount. */
    private static final Pattern OF_THE_KERNEL =
            Pattern.compile("(?:user_id|group_id|rootmode|fd|max_read|blksize|fsname|subtype)=.*");

    static FstabWords of(String text) {
        List<String> kept = new ArrayList<>();
        boolean remount = false;
        for (String word : text.split(",")) {
            if (word.equals("remount")) {
                remount = true;
            } else if (FOR_OTHERS.matcher(word).matches()) {
                if (BY_USERS.matcher(word).matches()) {
                    kept.addAll(List.of("nosuid", "nodev", "noexec"));
                } else if (BY_OWNER.matcher(word).matches()) {
                    kept.addAll(List.of("nosuid", "nodev"));
                }
            } else if (!word.isEmpty()) {
                kept.add(word);
            }
        }
        if (remount) {
            kept.removeIf(word -> OF_THE_KERNEL.matcher(word).matches());
        }
        return new FstabWords(String.join(",", kept), remount);
    }
}
