// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.oracle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/**
 * Whether the judges are at hand. A test that needs one calls the method for it first and is skipped with the reason; with
 * the environment variable EXT4_REQUIRE_ORACLES=true, as in continuous integration, it fails instead.
 */
public final class Oracles {
    private Oracles() {}

    /** e2fsprogs: mke2fs, e2fsck, dumpe2fs, debugfs, tune2fs. */
    public static void needE2fsprogs() {
        for (String tool : new String[] {"mke2fs", "e2fsck", "dumpe2fs", "debugfs", "tune2fs"}) {
            need(Tool.installed(tool), tool + " of e2fsprogs is not installed");
        }
    }

    /** Root and loop devices, so that the kernel can mount an image. */
    public static void needKernelMounts() {
        needE2fsprogs();
        needRoot();
        need(Files.exists(Path.of("/dev/loop-control")), "there are no loop devices (/dev/loop-control)");
    }

    /** /dev/fuse and the right to mount. */
    public static void needFuse() {
        needRoot();
        need(Files.isWritable(Path.of("/dev/fuse")), "/dev/fuse cannot be opened");
    }

    /** FUSE over io_uring: a kernel that has it, where the host allows it. */
    public static void needUring() {
        needFuse();
        Path setting = Path.of("/sys/module/fuse/parameters/enable_uring");
        Assumptions.assumeTrue(Files.exists(setting), "skipped: the kernel has no FUSE over io_uring");
        need(isY(setting), "FUSE over io_uring is off; root can turn it on: echo Y > " + setting);
    }

    private static boolean isY(Path setting) {
        try {
            return Files.readString(setting).startsWith("Y");
        } catch (IOException e) {
            return false;
        }
    }

    /** A program in one of the usual folders. */
    public static void needTool(String name) {
        need(Tool.installed(name), name + " is not installed");
    }

    private static void needRoot() {
        need("root".equals(System.getProperty("user.name")), "only root may mount");
    }

    private static void need(boolean there, String otherwise) {
        if (!there && "true".equals(System.getenv("EXT4_REQUIRE_ORACLES"))) {
            throw new AssertionError("EXT4_REQUIRE_ORACLES is set, but " + otherwise);
        }
        Assumptions.assumeTrue(there, "skipped: " + otherwise);
    }
}
