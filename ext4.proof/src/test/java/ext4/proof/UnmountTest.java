// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each way to end a mount leaves a clean image. */
class UnmountTest {
    @TempDir
    Path temp;

    @BeforeAll
    static void judges() {
        Ext4.needMounts();
        Oracles.needKernelMounts();
    }

    @ParameterizedTest
    @CsvSource({"ext4 umount, fuse", "umount, fuse-uring", "SIGTERM, fuse-uring", "SIGINT, fuse"})
    void leavesACleanImage(String way, String transport) throws Exception {
        Ext4.needTransport(transport);
        Path image = temp.resolve("disk.img");
        E2fsprogs.mke2fs(image, 64L << 20, "-O", "orphan_file");
        Path directory = Files.createDirectory(temp.resolve("mnt"));
        Process server = Ext4.serve(image, directory, "orphan=sharded,transport=" + transport);
        Files.writeString(directory.resolve("file"), "written without fsync");
        Files.createDirectory(directory.resolve("dir"));
        switch (way) {
            case "ext4 umount" -> Ext4.run("umount", directory.toString()).ok();
            case "umount" -> Tool.run("umount", directory).ok();
            case "SIGTERM" -> Tool.run("kill", "-TERM", server.pid()).ok();
            default -> Tool.run("kill", "-INT", server.pid()).ok();
        }
        assertTrue(server.waitFor(60, TimeUnit.SECONDS), "the server goes on after " + way);
        assertFalse(Ext4.isMounted(directory));
        String header = Tool.run("dumpe2fs", "-h", image).ok().output();
        assertFalse(header.contains("needs_recovery"), header);
        assertFalse(header.contains("orphan_present"), header);
        E2fsprogs.assertClean(image, way);
        try (LoopMount kernel = new LoopMount(image, "ro")) {
            assertEquals("written without fsync", Files.readString(kernel.root().resolve("file")));
        }
    }
}
