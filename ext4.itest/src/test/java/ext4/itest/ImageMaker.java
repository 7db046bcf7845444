// SPDX-License-Identifier: Apache-2.0
package ext4.itest;

import ext4.api.block.BlockDevice;
import ext4.core.mkfs.Mkfs;
import ext4.core.mkfs.MkfsOptions;
import ext4.device.FileBlockDeviceProvider;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** Makes an image, outside the framework; the argument is its size in bytes, a space, its path. See {@link Outside}. */
public final class ImageMaker implements UnaryOperator<String> {
    @Override
    public String apply(String sizeAndPath) {
        int space = sizeAndPath.indexOf(' ');
        Path image = Path.of(sizeAndPath.substring(space + 1));
        try {
            Files.deleteIfExists(image);
            try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
                file.setLength(Long.parseLong(sizeAndPath.substring(0, space)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try (BlockDevice device = new FileBlockDeviceProvider().open(image.toString(), false)) {
            Mkfs.run(device, new MkfsOptions().zeroed(true), new PrintWriter(Writer.nullWriter()));
        }
        return "";
    }
}
