// SPDX-License-Identifier: Apache-2.0
package ext4.core.check;

import ext4.api.block.BlockDevice;
import ext4.device.FileBlockDeviceProvider;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/** An image with some files of each kind, and both judges on it. */
record CheckedImage(Path file) {
    /** What a judge says. */
    record Verdict(int exit, String output) {}

    /** Makes an image of 8 MiB with {@code options} as for mke2fs. */
    static CheckedImage make(Path folder, String... options) throws IOException {
        Path tree = Files.createDirectories(folder.resolve("tree"));
        Path dir = Files.createDirectories(tree.resolve("dir/below"));
        for (int i = 0; i < 60; i++) {
            Files.writeString(dir.resolve("a-name-long-enough-to-need-more-than-one-block-" + i), "content " + i);
        }
        byte[] content = new byte[300_000];
        Arrays.fill(content, (byte) 'x');
        Files.write(tree.resolve("big"), content);
        link(tree.resolve("short"), "target");
        link(tree.resolve("long"), "y".repeat(200));
        Path image = folder.resolve("image");
        String[] all = Stream.concat(Stream.of("-d", tree.toString(), "-b", "1024", "-N", "200"), Stream.of(options))
                .toArray(String[]::new);
        E2fsprogs.mke2fs(image, 8 << 20, all);
        return new CheckedImage(image);
    }

    private static void link(Path link, String target) throws IOException {
        if (!Files.isSymbolicLink(link)) {
            Files.createSymbolicLink(link, Path.of(target));
        }
    }

    /** Runs the checker. */
    Verdict check() {
        StringWriter output = new StringWriter();
        try (BlockDevice device = new FileBlockDeviceProvider().open(file.toString(), true)) {
            int exit = Check.run(device, CheckOptions.DEFAULT, new PrintWriter(output));
            return new Verdict(exit, output.toString());
        }
    }

    /** Runs {@code e2fsck -fn}. */
    Verdict e2fsck() {
        Tool.Result result = Tool.run("e2fsck", "-fn", file);
        return new Verdict(result.exit(), result.output());
    }
}
