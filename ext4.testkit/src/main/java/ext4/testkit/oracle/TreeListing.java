// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.oracle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * Everything about a mounted tree that two implementations must agree on, as text by path: type and permissions, owner,
 * links, size, times, link target, device number, content, user xattrs.
 */
public final class TreeListing {
    private TreeListing() {}

    /** Lists the tree below {@code root}, lost+found left out. */
    public static Map<String, String> of(Path root) throws IOException {
        Map<String, String> listing = new TreeMap<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes basic) throws IOException {
                if (path.endsWith("lost+found")) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                listing.put(root.relativize(path).toString(), describe(path));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes basic) throws IOException {
                listing.put(root.relativize(path).toString(), describe(path));
                return FileVisitResult.CONTINUE;
            }
        });
        return listing;
    }

    private static String describe(Path path) throws IOException {
        Map<String, Object> unix = Files.readAttributes(path, "unix:*", LinkOption.NOFOLLOW_LINKS);
        int mode = (Integer) unix.get("mode");
        int type = mode & 0170000;
        StringBuilder text = new StringBuilder();
        text.append("mode=").append(Integer.toOctalString(mode));
        text.append(" uid=").append(unix.get("uid")).append(" gid=").append(unix.get("gid"));
        text.append(" nlink=").append(unix.get("nlink"));
        if (type != 0040000) {
            text.append(" size=").append(unix.get("size"));
        }
        text.append(" mtime=").append(time(unix.get("lastModifiedTime")));
        text.append(" ctime=").append(time(unix.get("ctime")));
        if (type == 0020000 || type == 0060000) {
            text.append(" rdev=").append(unix.get("rdev"));
        }
        if (type == 0120000) {
            text.append(" target=").append(Files.readSymbolicLink(path));
        }
        if (type == 0100000) {
            text.append(" content=").append(Integer.toHexString(content(path)));
        }
        if (type == 0100000 || type == 0040000) {
            appendXattrs(path, text);
        }
        return text.toString();
    }

    private static String time(Object value) {
        return ((FileTime) value).toInstant().toString();
    }

    private static int content(Path path) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] buffer = new byte[1 << 16];
        try (var in = Files.newInputStream(path)) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                crc.update(buffer, 0, count);
            }
        }
        return (int) crc.getValue();
    }

    private static void appendXattrs(Path path, StringBuilder text) throws IOException {
        UserDefinedFileAttributeView view = Files.getFileAttributeView(path, UserDefinedFileAttributeView.class);
        for (String name : view.list().stream().sorted().toList()) {
            ByteBuffer value = ByteBuffer.allocate(view.size(name));
            view.read(name, value);
            text.append(" user.").append(name);
            text.append('=').append(HexFormat.of().formatHex(value.array()));
        }
    }
}
