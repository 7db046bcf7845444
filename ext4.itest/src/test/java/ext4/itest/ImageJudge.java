// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import ext4.api.block.BlockDevice;
import ext4.core.check.Check;
import ext4.core.check.CheckOptions;
import ext4.device.FileBlockDeviceProvider;
import ext4.testkit.oracle.Tool;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.UnaryOperator;

/**
 * Judges an image, outside the framework, by the project's own check and, where it is installed, by e2fsck; the argument
 * is its path, the result what they found, empty if nothing. See {@link Outside}.
 */
public final class ImageJudge implements UnaryOperator<String> {
    @Override
    public String apply(String image) {
        return ownCheck(image) + e2fsck(image);
    }

    private static String ownCheck(String image) {
        StringWriter found = new StringWriter();
        try (BlockDevice device = new FileBlockDeviceProvider().open(image, true)) {
            int exit = Check.run(device, CheckOptions.DEFAULT, new PrintWriter(found));
            return exit == Check.CLEAN ? "" : "ext4 check: exit " + exit + "\n" + found;
        }
    }

    private static String e2fsck(String image) {
        if (!Tool.installed("e2fsck")) {
            return "true".equals(System.getenv("EXT4_REQUIRE_ORACLES"))
                    ? "EXT4_REQUIRE_ORACLES is set, but e2fsck is not installed"
                    : "";
        }
        Tool.Result result = Tool.run("e2fsck", "-fn", image);
        return result.exit() == 0 ? "" : "e2fsck -fn: exit " + result.exit() + "\n" + result.output();
    }
}
