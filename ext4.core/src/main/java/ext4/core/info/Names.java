// SPDX-License-Identifier: Apache-2.0
package ext4.core.info;

import java.util.ArrayList;
import java.util.List;

/** The words for numbers of the superblock. */
final class Names {
    private static final int JOURNAL_MODE = 0x60;
    private static final String[] JOURNAL_MODES = {"", "journal_data", "journal_data_ordered", "journal_data_writeback"
    };
    private static final String[] MOUNT_OPTIONS = {
        "debug",
        "bsdgroups",
        "user_xattr",
        "acl",
        "uid16",
        null,
        null,
        null,
        "nobarrier",
        "block_validity",
        "discard",
        "nodelalloc"
    };
    private static final String[] SYSTEMS = {"Linux", "Hurd", "Masix", "FreeBSD", "Lites"};
    private static final String[] HASHES = {
        "legacy", "half_md4", "tea", "legacy_unsigned", "half_md4_unsigned", "tea_unsigned", "siphash"
    };
    private static final String[] UNITS = {"month", "week", "day", "hour", "minute", "second"};
    private static final long[] UNIT_SECONDS = {2_592_000, 604_800, 86_400, 3_600, 60, 1};

    private Names() {}

    static String list(List<String> names) {
        return names.isEmpty() ? "(none)" : String.join(" ", names);
    }

    static String revision(long revision) {
        return revision == 0 ? "(original)" : revision == 1 ? "(dynamic)" : "(unknown)";
    }

    /** Each name with a space behind it, as dumpe2fs has it. */
    static String flags(int flags) {
        String names = ((flags & 1) != 0 ? "signed_directory_hash " : "")
                + ((flags & 2) != 0 ? "unsigned_directory_hash " : "")
                + ((flags & 4) != 0 ? "test_filesystem " : "");
        return names.isEmpty() ? "(none)" : names;
    }

    static List<String> mountOptions(int bits) {
        List<String> names = new ArrayList<>();
        if ((bits & JOURNAL_MODE) != 0) {
            names.add(JOURNAL_MODES[(bits & JOURNAL_MODE) / 0x20]);
        }
        for (int left = bits & ~JOURNAL_MODE; left != 0; left &= left - 1) {
            int bit = Integer.numberOfTrailingZeros(left);
            String name = bit < MOUNT_OPTIONS.length ? MOUNT_OPTIONS[bit] : null;
            names.add(name == null ? "MNTOPT_" + bit : name);
        }
        return names;
    }

    static String errorsBehaviour(int value) {
        return switch (value) {
            case 1 -> "Continue";
            case 2 -> "Remount read-only";
            case 3 -> "Panic";
            default -> "Unknown (continue)";
        };
    }

    static String creatorOs(long value) {
        return value < SYSTEMS.length ? SYSTEMS[(int) value] : "(unknown os)";
    }

    static String hash(int version) {
        return version < HASHES.length ? HASHES[version] : "HASHALG_" + version;
    }

    /** A span of seconds in the largest units. */
    static String interval(long seconds) {
        if (seconds == 0) {
            return "<none>";
        }
        List<String> parts = new ArrayList<>();
        long left = seconds;
        for (int i = 0; i < UNITS.length; i++) {
            long count = left / UNIT_SECONDS[i];
            left %= UNIT_SECONDS[i];
            if (count != 0) {
                parts.add(count + " " + UNITS[i] + (count > 1 ? "s" : ""));
            }
        }
        return String.join(", ", parts);
    }

    /** So many kilobytes, in a unit that keeps the number short. */
    static String kbytes(long kbytes) {
        if (kbytes < 1L << 13) {
            return kbytes + " kB";
        }
        if (kbytes < 1L << 23) {
            return (kbytes + (1L << 9) >> 10) + " MB";
        }
        if (kbytes < 1L << 33) {
            return (kbytes + (1L << 19) >> 20) + " GB";
        }
        return (kbytes + (1L << 29) >> 30) + " TB";
    }
}
