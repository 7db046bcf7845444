// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.offline;

import ext4.api.block.BlockDevice;
import ext4.core.check.Check;
import ext4.core.check.CheckOptions;
import ext4.device.FileBlockDeviceProvider;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ext4 check}: read-only, as e2fsck -fn; its exit codes are those of e2fsck(8). */
@Command(
        name = "check",
        description = "Checks without writing.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:clean", "4:problems were found", "8:it could not be checked"})
public final class CheckCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "IMAGE", description = "Image file or block device.")
    private String image;

    @Override
    public Integer call() {
        try (BlockDevice device = new FileBlockDeviceProvider().open(image, true)) {
            return Check.run(device, CheckOptions.DEFAULT, new PrintWriter(System.out));
        }
    }
}
