// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.offline;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file as a command names it: {@code IMAGE:PATH}, or a path of the host. IMAGE is what stands before the first colon
 * behind which an existing file ends; a path of the host that looks so is written with {@code ./} before it, unless that
 * is an existing file too.
 *
 * @param image the image; null for the host
 * @param path the path in the image, or of the host
 */
record Operand(Path image, String path) {
    /** @throws NoSuchFileException if it can only mean an image, and there is none of that name */
    static Operand of(String text) throws NoSuchFileException {
        for (int colon = text.indexOf(':'); colon > 0; colon = text.indexOf(':', colon + 1)) {
            Path image = file(text.substring(0, colon));
            if (image != null) {
                return inImage(image, text.substring(colon + 1));
            }
        }
        int colon = text.indexOf(':');
        boolean said =
                colon > 0 && text.charAt(0) != '.' && !text.substring(0, colon).contains("/");
        if (said && !exists(text)) {
            throw new NoSuchFileException(text.substring(0, colon), null, "No such file or directory");
        }
        return new Operand(null, text);
    }

    /** As {@link #of}, where it can only be an image: with or without a path, then the root. */
    static Operand ofImage(String text) throws NoSuchFileException {
        Path whole = file(text);
        if (whole != null) {
            return inImage(whole, "/");
        }
        Operand operand = of(text);
        return operand.image == null ? inImage(Path.of(text), "/") : operand;
    }

    private static Operand inImage(Path image, String path) {
        return new Operand(image, path.isEmpty() ? "/" : path);
    }

    boolean isInImage() {
        return image != null;
    }

    /** The path if it is there and no directory, else null. */
    private static Path file(String name) {
        try {
            Path path = Path.of(name);
            return Files.exists(path) && !Files.isDirectory(path) ? path : null;
        } catch (InvalidPathException e) {
            return null; // bytes that this JVM can't say in a path
        }
    }

    private static boolean exists(String name) {
        try {
            return Files.exists(Path.of(name));
        } catch (InvalidPathException e) {
            return true; // can't be asked here; the copy will tell
        }
    }
}
