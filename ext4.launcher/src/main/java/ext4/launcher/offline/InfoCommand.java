// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.offline;

import ext4.api.block.BlockDevice;
import ext4.core.info.Info;
import ext4.device.FileBlockDeviceProvider;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ext4 info}: superblock and journal, as dumpe2fs -h shows them. */
@Command(name = "info", description = "Shows superblock and journal.", mixinStandardHelpOptions = true)
public final class InfoCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "IMAGE", description = "Image file or block device.")
    private String image;

    @Override
    public Integer call() {
        try (BlockDevice device = new FileBlockDeviceProvider().open(image, true)) {
            Info.print(device, new PrintWriter(System.out));
        }
        return 0;
    }
}
