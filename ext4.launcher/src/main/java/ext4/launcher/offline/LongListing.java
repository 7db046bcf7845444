// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.offline;

import ext4.image.ByteNames;
import ext4.image.Ext4Image;
import ext4.image.FileType;
import ext4.image.ImageAttributes;
import ext4.image.ImageEntry;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The lines of {@code ls -nb --time-style=long-iso}. */
final class LongListing {
    private static final DateTimeFormatter MINUTES =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT).withZone(ZoneId.systemDefault());
    private static final String UNKNOWN = "?";

    /** One line, in columns. */
    private record Row(
            String mode,
            String nlink,
            String uid,
            String gid,
            String size,
            String major,
            String minor,
            String time,
            String name) {}

    private final Ext4Image image;
    private final Output output;
    private boolean anyAcl;

    LongListing(Ext4Image image, Output output) {
        this.image = image;
        this.output = output;
    }

    void print(List<ImageEntry> entries, Function<ImageEntry, String> name) {
        List<Row> rows = new ArrayList<>();
        for (ImageEntry entry : entries) {
            rows.add(row(entry, name.apply(entry)));
        }
        int nlink = width(rows, Row::nlink);
        int uid = width(rows, Row::uid);
        int gid = width(rows, Row::gid);
        int major = width(rows, Row::major);
        int minor = width(rows, Row::minor);
        int size = Math.max(width(rows, Row::size), major == 0 ? 0 : major + 2 + minor);
        int time = width(rows, Row::time);
        for (Row row : rows) {
            String shown = row.major.isEmpty()
                    ? right(row.size, size)
                    : right(row.major, size - 2 - minor) + ", " + right(row.minor, minor);
            String mode = anyAcl && row.mode.length() == 10 ? row.mode + " " : row.mode;
            output.line(mode + " " + right(row.nlink, nlink) + " " + right(row.uid, uid) + " " + right(row.gid, gid)
                    + " " + shown + " " + right(row.time, time) + " " + row.name);
        }
    }

    private Row row(ImageEntry entry, String name) {
        ImageAttributes a = entry.attributes();
        String shown = ByteNames.escape(name);
        if (a.nlink() == 0) {
            output.trouble(ByteNames.escapeForMessage(entry.path()) + ": its inode can't be read", 1);
            String mode = a.type().letter() + "?????????";
            return new Row(mode, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, "", "", UNKNOWN, shown);
        }
        boolean device = a.type() == FileType.CHARACTER_DEVICE || a.type() == FileType.BLOCK_DEVICE;
        return new Row(
                mode(a) + acl(entry),
                String.valueOf(a.nlink()),
                String.valueOf(a.uid()),
                String.valueOf(a.gid()),
                device ? "" : String.valueOf(a.size()),
                device ? String.valueOf(a.deviceMajor()) : "",
                device ? String.valueOf(a.deviceMinor()) : "",
                MINUTES.format(a.lastModifiedTime().toInstant()),
                a.isSymbolicLink() ? shown + target(entry) : shown);
    }

    private String target(ImageEntry entry) {
        try {
            return " -> " + ByteNames.escape(image.readlink(entry.path()));
        } catch (IOException e) {
            output.trouble(e, 1);
            return "";
        }
    }

    private String acl(ImageEntry entry) {
        if (entry.attributes().isSymbolicLink()) {
            return "";
        }
        try {
            boolean has = image.xattrs(entry.path(), LinkOption.NOFOLLOW_LINKS).keySet().stream()
                    .anyMatch(name -> name.startsWith("system.posix_acl_"));
            anyAcl |= has;
            return has ? "+" : "";
        } catch (IOException e) {
            output.trouble(e, 1);
            return "";
        }
    }

    /** As strmode(3). */
    static String mode(ImageAttributes a) {
        int p = a.permissions();
        return a.type().letter()
                + triple(p >> 6, (p & 04000) != 0, 's')
                + triple(p >> 3, (p & 02000) != 0, 's')
                + triple(p, (p & 01000) != 0, 't');
    }

    private static String triple(int bits, boolean special, char letter) {
        boolean x = (bits & 1) != 0;
        char last = special ? (x ? letter : Character.toUpperCase(letter)) : x ? 'x' : '-';
        return "" + ((bits & 4) != 0 ? 'r' : '-') + ((bits & 2) != 0 ? 'w' : '-') + last;
    }

    private static int width(List<Row> rows, Function<Row, String> column) {
        return rows.stream().map(column).mapToInt(String::length).max().orElse(0);
    }

    private static String right(String text, int width) {
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }
}
