// SPDX-License-Identifier: Apache-2.0
package ext4.mount;

import ext4.api.fs.MountOptions;
import ext4.api.fs.MountOptions.Atime;
import ext4.api.fs.MountOptions.Errors;
import ext4.api.fs.MountPoint;
import ext4.api.keep.Keeper;
import ext4.api.mount.MountException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Options in the form of mount(8), with the words of ext4(5): later ones override earlier ones. With {@code sloppy}
 * among them, unknown ones are ignored.
 *
 * @param options those that the filesystem itself obeys
 * @param orphan orphan=NAME, or null
 * @param transport transport=NAME, or null
 * @param keeper keep=NAME, or null
 * @param allowOther allow_other of fuse(8)
 * @param flags what the kernel keeps to, of {@link MountPoint#FLAGS}
 */
record OptionString(
        MountOptions options, String orphan, String transport, String keeper, boolean allowOther, List<String> flags) {
    /** Parses a comma-separated list; an empty one gives the defaults. */
    static OptionString parse(String text) throws MountException {
        List<String> list = Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
        Words words = new Words(list.contains("sloppy"));
        for (String word : list) {
            words.take(word);
        }
        return words.result();
    }

    /** The same, read-only or not. */
    OptionString withReadOnly(boolean readOnly) {
        return new OptionString(options.withReadOnly(readOnly), orphan, transport, keeper, allowOther, flags);
    }

    /** Whether nothing differs but ro and rw, and orphan=, which is part of the precedence. */
    boolean sameBut(OptionString other) {
        return options.equals(other.options.withReadOnly(options.readOnly()))
                && allowOther == other.allowOther
                && Objects.equals(keeper, other.keeper)
                && flags.equals(other.flags);
    }

    /** An option string with ro or rw in the place of the ro and rw that are there. */
    static String withReadOnly(String text, boolean readOnly) {
        String others = Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(word -> !word.isEmpty() && !word.equals("ro") && !word.equals("rw"))
                .collect(Collectors.joining(","));
        return (readOnly ? "ro" : "rw") + (others.isEmpty() ? "" : "," + others);
    }

    /** What the words say so far. */
    private static final class Words {
        private final boolean sloppy;
        private final Set<String> restrictions = new TreeSet<>();
        private boolean readOnly;
        private boolean noload;
        private boolean sync;
        private boolean barrier = true;
        private boolean alwaysRemove;
        private boolean allowOther;
        private int commit;
        private Atime atime = Atime.RELATIME;
        private Errors errors;
        private String orphan;
        private String transport;
        private String keeper;

        Words(boolean sloppy) {
            this.sloppy = sloppy;
        }

        void take(String word) throws MountException {
            switch (word) {
                case "sloppy" -> {} // looked for before
                // what is done anyway
                case "atime", "diratime", "nolazytime", "nomand", "loud", "silent" -> {}
                case "default_permissions", "acl", "user_xattr", "data=ordered", "nodiscard" -> {}
                case "nosuid", "nodev", "noexec" -> restrictions.add(word);
                case "suid", "dev", "exec" -> restrictions.remove("no" + word);
                case "defaults" -> restrictions.clear();
                case "ro" -> readOnly = true;
                case "rw" -> readOnly = false;
                case "noload", "norecovery" -> noload = true;
                case "sync" -> sync = true;
                case "async" -> sync = false;
                case "noatime" -> atime = Atime.NOATIME;
                case "relatime" -> atime = Atime.RELATIME;
                case "strictatime" -> atime = Atime.STRICT;
                case "barrier", "barrier=1" -> barrier = true;
                case "nobarrier", "barrier=0" -> barrier = false;
                case "allow_other" -> allowOther = true;
                case "keep" -> keeper = Keeper.PROCESS;
                case "bench_always_remove_orphan" -> alwaysRemove = true;
                default -> takeValue(word);
            }
        }

        private void takeValue(String word) throws MountException {
            int equals = word.indexOf('=');
            String key = equals < 0 ? word : word.substring(0, equals);
            String value = equals < 0 ? "" : word.substring(equals + 1);
            switch (key) {
                case "commit" -> commit = seconds(word, value);
                case "orphan" -> orphan = name(word, value, "a strategy");
                case "transport" -> transport = name(word, value, "a transport");
                case "keep" -> keeper = name(word, value, "a keeper");
                case "errors" -> errors = errors(word, value);
                default -> {
                    if (!sloppy) {
                        throw new MountException("unknown mount option '" + word + "'");
                    }
                }
            }
        }

        private static int seconds(String word, String value) throws MountException {
            // at most a day: what is not committed for longer is lost in a crash, so more is a mistake
            if (!value.matches("[0-9]{1,5}") || Integer.parseInt(value) > 86_400) {
                throw new MountException("bad mount option '" + word + "': commit= takes 0 to 86400 seconds");
            }
            return Integer.parseInt(value);
        }

        private static String name(String word, String value, String ofWhat) throws MountException {
            if (value.isEmpty()) {
                throw new MountException("bad mount option '" + word + "': " + word.replaceFirst("=?$", "=")
                        + " takes the name of " + ofWhat);
            }
            return value;
        }

        private static Errors errors(String word, String value) throws MountException {
            return switch (value) {
                case "continue" -> Errors.CONTINUE;
                case "remount-ro" -> Errors.REMOUNT_RO;
                default ->
                    throw new MountException("bad mount option '" + word + "': errors= takes continue or remount-ro");
            };
        }

        OptionString result() throws MountException {
            if (noload && !readOnly) {
                throw new MountException("mount option noload needs ro");
            }
            MountOptions options =
                    new MountOptions(readOnly, noload, sync, atime, commit, barrier, errors, alwaysRemove);
            List<String> flags = new ArrayList<>(restrictions);
            switch (atime) {
                case NOATIME -> flags.add("noatime");
                case STRICT -> flags.add("strictatime");
                case RELATIME -> {}
            }
            return new OptionString(options, orphan, transport, keeper, allowOther, List.copyOf(flags));
        }
    }
}
