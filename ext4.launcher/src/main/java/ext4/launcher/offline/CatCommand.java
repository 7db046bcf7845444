// SPDX-License-Identifier: Apache-2.0
package ext4.launcher.offline;

import ext4.image.Ext4Image;
import ext4.image.ImageChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ext4 cat}: contents of files in an image. */
@Command(name = "cat", description = "Writes files of an image to standard output.", mixinStandardHelpOptions = true)
public final class CatCommand implements Callable<Integer> {
    private static final int CHUNK = 1 << 17;

    @Parameters(index = "0", paramLabel = "IMAGE[:PATH]", description = "Image file or block device.")
    private String image;

    @Parameters(index = "1..*", paramLabel = "PATH", description = "Files in the image.")
    private List<String> paths = List.of();

    @Override
    public Integer call() throws IOException {
        Operand operand = Operand.ofImage(image);
        List<String> all = new ArrayList<>(paths);
        if (all.isEmpty() || !operand.path().equals("/")) {
            all.addFirst(operand.path());
        }
        Output output = new Output("cat");
        try (Ext4Image opened = Ext4Image.open(operand.image())) {
            for (String path : all) {
                try (ImageChannel channel = opened.open(path)) {
                    copy(channel, output);
                } catch (IOException e) {
                    output.trouble(e, 1);
                }
            }
        }
        return output.finish();
    }

    private static void copy(ImageChannel channel, Output output) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
        while (channel.read(buffer.clear()) >= 0 && !output.isClosed()) {
            output.stream().write(buffer.array(), 0, buffer.position());
        }
    }
}
