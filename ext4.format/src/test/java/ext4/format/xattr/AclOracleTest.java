// SPDX-License-Identifier: Apache-2.0
package ext4.format.xattr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ext4.format.oracle.Oracle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An ACL that the kernel stored, beside the value that it hands out. */
class AclOracleTest {
    private static final Pattern HEX = Pattern.compile("=0x([0-9a-f]+)");

    @Test
    void diskAndWireFormsAreTheKernels(@TempDir Path dir) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setfacl")), "skipped: setfacl is not installed");
        Oracle image = Oracle.make(dir, 32 << 20, "-I", "256");
        String[] wire = new String[1];
        image.mounted("acl", mountPoint -> {
            Path file = Files.write(mountPoint.resolve("f"), new byte[1]);
            Oracle.run(List.of("setfacl", "-m", "u:1000:rwx,u:70000:r,g:5:w,m:rx", file.toString()));
            String output = Oracle.run(List.of(
                    "getfattr", "--absolute-names", "-e", "hex", "-n", "system.posix_acl_access", file.toString()));
            Matcher matcher = HEX.matcher(output);
            assertThat(matcher.find()).as(output).isTrue();
            wire[0] = matcher.group(1);
        });
        Path stored = dir.resolve("stored");
        image.debugfs("ea_get -f " + stored + " -r /f system.posix_acl_access\n");
        byte[] disk = Files.readAllBytes(stored);
        byte[] onWire = HexFormat.of().parseHex(wire[0]);
        assertThat(AclCodec.toDisk(onWire)).isEqualTo(disk);
        assertThat(AclCodec.toWire(disk)).isEqualTo(onWire);
        assertThat(AclMode.mode(disk)).isEqualTo((int) Long.parseLong("" + image.stat("/f", "Mode:"), 8));
    }
}
