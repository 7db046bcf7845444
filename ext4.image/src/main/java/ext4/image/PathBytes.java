// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import java.util.Arrays;

/** Paths as bytes, cut at their slashes. */
final class PathBytes {
    private PathBytes() {}

    /** Without slashes at the end; empty for the root. */
    static byte[] strip(byte[] path) {
        int end = path.length;
        while (end > 0 && path[end - 1] == '/') {
            end--;
        }
        return Arrays.copyOf(path, end);
    }

    /** The last name; null where there is none: for the root, "." and "..". */
    static byte[] lastName(byte[] path) {
        byte[] stripped = strip(path);
        byte[] name = Arrays.copyOfRange(stripped, slash(stripped) + 1, stripped.length);
        boolean dots = name.length == 1 && name[0] == '.' || name.length == 2 && name[0] == '.' && name[1] == '.';
        return name.length == 0 || dots ? null : name;
    }

    /** What stands before the last name; empty if nothing does. */
    static byte[] parent(byte[] path) {
        byte[] stripped = strip(path);
        return Arrays.copyOf(stripped, slash(stripped) + 1);
    }

    static byte[] join(byte[] directory, byte[] name) {
        boolean slash = directory.length > 0 && directory[directory.length - 1] != '/';
        byte[] joined = Arrays.copyOf(directory, directory.length + (slash ? 1 : 0) + name.length);
        if (slash) {
            joined[directory.length] = '/';
        }
        System.arraycopy(name, 0, joined, joined.length - name.length, name.length);
        return joined;
    }

    static boolean endsInSlash(byte[] path) {
        return path.length > 0 && path[path.length - 1] == '/';
    }

    private static int slash(byte[] path) {
        int at = path.length - 1;
        while (at >= 0 && path[at] != '/') {
            at--;
        }
        return at;
    }
}
