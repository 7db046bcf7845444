// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.oracle;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** mke2fs, e2fsck and debugfs on an image file. */
public final class E2fsprogs {
    private E2fsprogs() {}

    /** Makes {@code image} with {@code bytes} bytes and a filesystem on it; {@code options} as for mke2fs(8). */
    public static void mke2fs(Path image, long bytes, String... options) {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(0);
            file.setLength(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Object[] arguments = new Object[options.length + 5];
        arguments[0] = "-q";
        arguments[1] = "-F";
        arguments[2] = "-t";
        arguments[3] = "ext4";
        System.arraycopy(options, 0, arguments, 4, options.length);
        arguments[options.length + 4] = image;
        Tool.run("mke2fs", arguments).ok();
    }

    /** Asserts that {@code e2fsck -fn} finds nothing. */
    public static void assertClean(Path image, String when) {
        Tool.Result result = Tool.run("e2fsck", "-fn", image);
        if (result.exit() != 0) {
            throw new AssertionError(when + ": e2fsck -fn exited with " + result.exit() + ":\n" + result.output());
        }
    }

    /** Lets e2fsck recover the image; exit 0 or 1 (errors corrected) is as it should be after a crash. */
    public static Tool.Result recover(Path image) {
        Tool.Result result = Tool.run("e2fsck", "-fy", image);
        if (result.exit() > 1) {
            throw new AssertionError("e2fsck -fy exited with " + result.exit() + ":\n" + result.output());
        }
        return result;
    }

    /** One debugfs request; {@code write} opens the image for writing. */
    public static String debugfs(Path image, boolean write, String request) {
        return write
                ? Tool.run("debugfs", "-w", "-R", request, image).ok().output()
                : Tool.run("debugfs", "-R", request, image).ok().output();
    }
}
