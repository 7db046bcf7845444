// SPDX-License-Identifier: Apache-2.0
package ext4.lab.load;

import ext4.sys.FileStatus;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * What a file looks like, as one line of text: type, permissions, owner, links, and what the one who expects it knows of
 * number, size and content, entries, target, extended attributes, modification time.
 */
public final class Description {
    private static final int TYPE = 0170000;
    private static final int DIRECTORY = 0040000;
    private static final int REGULAR = 0100000;
    private static final int LINK = 0120000;

    private final StringBuilder text = new StringBuilder();

    public Description(int mode, int uid, int gid) {
        text.append("mode=").append(Integer.toOctalString(mode));
        text.append(" uid=").append(uid).append(" gid=").append(gid);
    }

    public Description links(int count) {
        text.append(" nlink=").append(count);
        return this;
    }

    public Description number(long ino) {
        text.append(" ino=").append(ino);
        return this;
    }

    /** Of a regular file. */
    public Description content(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        text.append(" size=").append(length).append(" crc=").append(Long.toHexString(crc.getValue()));
        return this;
    }

    /** Of a directory, in any order. */
    public Description entries(Collection<String> names) {
        CRC32C crc = new CRC32C();
        names.stream().sorted().forEach(name -> crc.update(Hands.bytes(name + "/")));
        text.append(" entries=").append(names.size()).append(" crc=").append(Long.toHexString(crc.getValue()));
        return this;
    }

    public Description target(String target) {
        text.append(" target=").append(target);
        return this;
    }

    /** Those that users and administrators set. */
    public Description xattrs(SortedMap<String, byte[]> values) {
        for (Map.Entry<String, byte[]> each : values.entrySet()) {
            text.append(' ').append(each.getKey()).append('=');
            text.append(HexFormat.of().formatHex(each.getValue()));
        }
        return this;
    }

    public Description modified(long seconds, int nanos) {
        text.append(" mtime=").append(seconds).append('.').append(nanos);
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }

    /** A regular file of root with this content, and nothing else known. */
    public static String plain(int mode, byte[] content) {
        return new Description(REGULAR | mode, 0, 0)
                .links(1)
                .content(content, content.length)
                .toString();
    }

    /** What is there under that path, said as far as {@code expected} says it; if it can't be looked at, why. */
    public static String actual(Hands hands, String path, String expected) {
        FileStatus status = hands.calls.stat(Hands.HERE, Hands.bytes(path));
        if (status == null) {
            return "can't be looked at: " + Hands.name(-hands.calls.errno());
        }
        int type = status.mode() & TYPE;
        Description seen = new Description(status.mode(), status.uid(), status.gid());
        if (expected.contains(" nlink=")) {
            seen.links(status.nlink());
        }
        if (expected.contains(" ino=")) {
            seen.number(status.ino());
        }
        if (type == REGULAR) {
            byte[] bytes = hands.content(path, status.size());
            seen.content(bytes, bytes.length);
        } else if (type == DIRECTORY && expected.contains(" entries=")) {
            seen.entries(hands.list(path));
        } else if (type == LINK) {
            byte[] target = hands.calls.readlink(Hands.HERE, Hands.bytes(path));
            seen.target(target == null ? "?" : new String(target, StandardCharsets.UTF_8));
        }
        seen.xattrs(xattrs(hands, path));
        if (expected.contains(" mtime=")) {
            seen.modified(status.mtime(), status.mtimeNanos());
        }
        return seen.toString();
    }

    private static SortedMap<String, byte[]> xattrs(Hands hands, String path) {
        byte[] file = Hands.bytes(path);
        List<byte[]> names = hands.xattrs.list(file);
        hands.must("llistxattr", path, names == null ? -hands.calls.errno() : 0);
        SortedMap<String, byte[]> values = new TreeMap<>();
        for (byte[] name : names) {
            String text = new String(name, StandardCharsets.UTF_8);
            if (text.startsWith("user.") || text.startsWith("trusted.")) {
                byte[] value = hands.xattrs.get(file, name);
                hands.must("lgetxattr " + text, path, value == null ? -hands.calls.errno() : 0);
                values.put(text, value);
            }
        }
        return values;
    }
}
