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

/** Makes images, outside the framework. */
final class Images {
    private Images() {}

    /** A new filesystem of {@code bytes}; replaces what an earlier run left. */
    static Path make(Path folder, String name, long bytes) {
        Path image = folder.resolve(name).toAbsolutePath();
        try {
            Files.deleteIfExists(image);
            try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
                file.setLength(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try (BlockDevice device = new FileBlockDeviceProvider().open(image.toString(), false)) {
            Mkfs.run(device, new MkfsOptions().zeroed(true), new PrintWriter(Writer.nullWriter()));
        }
        return image;
    }
}
