// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.MountOptions;
import ext4.lab.stack.Stack;
import ext4.testkit.device.ArrayDevice;
import ext4.testkit.oracle.E2fsprogs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The sound images: made by mke2fs, filled by this project, always the same but for times and generations. */
final class Bases {
    private static final int MIB = 1 << 20;
    private static final String SAME =
            "-U 6f0d6ce5-2f0e-4a65-9d8c-3f4d5a1b7c29 -E hash_seed=0b6a9ee2-95a4-4f3c-8a42-5d3c2b1a0f9e";

    /**
     * How one is made.
     *
     * @param mebibytes size
     * @param options of mke2fs
     * @param dirty whether it is as after a crash: a log to be replayed, orphans
     */
    private record Recipe(String name, int mebibytes, String options, boolean dirty) {}

    private static final List<Recipe> RECIPES = List.of(
            new Recipe("modern", 8, "-b 1024 -N 512 -J size=1 -O metadata_csum,64bit,orphan_file", false),
            new Recipe("crashed", 8, "-b 1024 -N 512 -J size=1 -O metadata_csum,64bit,orphan_file", true),
            new Recipe("chained", 8, "-b 1024 -N 512 -J size=1 -O metadata_csum,^64bit,^orphan_file", true),
            new Recipe("groups", 6, "-b 1024 -N 512 -g 1024 -O ^has_journal,^flex_bg,^resize_inode,meta_bg", false),
            new Recipe("uninit", 6, "-b 2048 -N 512 -I 512 -O ^has_journal,^metadata_csum,uninit_bg", false),
            new Recipe("plain", 12, "-b 4096 -N 512 -O ^has_journal,^metadata_csum,^64bit,^dir_index", false),
            new Recipe("ext3", 8, "-b 1024 -N 256 -J size=1 -I 128 -O ^extent,^64bit,^metadata_csum,^flex_bg", false),
            new Recipe("ext3crashed", 8, "-b 1024 -N 256 -J size=1 -O ^extent,^64bit,^metadata_csum,^huge_file", true));

    private Bases() {}

    /** Makes them all; files go into {@code folder} and are gone afterwards. */
    static List<Base> make(Path folder) throws IOException {
        List<Base> bases = new ArrayList<>();
        for (Recipe recipe : RECIPES) {
            bases.add(new Base(recipe.name(), image(recipe, folder)));
        }
        return bases;
    }

    private static byte[] image(Recipe recipe, Path folder) throws IOException {
        Path file = Files.createTempFile(folder, recipe.name(), ".img");
        Path tree = Files.createTempDirectory(folder, "tree");
        try {
            boolean extents = !recipe.options().contains("^extent");
            String options = recipe.options() + " " + SAME;
            if (!extents) {
                hostTree(tree);
                options += " -d " + tree;
            }
            E2fsprogs.mke2fs(file, (long) recipe.mebibytes() * MIB, options.split(" "));
            return fill(Files.readAllBytes(file), extents, recipe.dirty());
        } finally {
            Files.delete(file);
            try (Stream<Path> files = Files.walk(tree)) {
                for (Path path : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private static byte[] fill(byte[] image, boolean extents, boolean dirty) {
        ArrayDevice device = new ArrayDevice(image);
        CoreFileSystem fs = Stack.mount(device, MountOptions.DEFAULTS, "sharded");
        Furnishing furnishing = new Furnishing(fs);
        if (extents) {
            furnishing.furnish();
        }
        if (!dirty) {
            fs.close();
            return image;
        }
        furnishing.leaveOrphans(extents);
        fs.syncfs();
        byte[] crashed = image.clone();
        fs.close();
        return crashed;
    }

    /** For mke2fs -d: files with maps of every depth. */
    private static void hostTree(Path tree) throws IOException {
        Files.write(tree.resolve("small"), new byte[3000]);
        Files.write(tree.resolve("single"), new byte[40_000]);
        at(tree.resolve("double"), 400_000);
        at(tree.resolve("triple"), 70 << 20);
        Files.createSymbolicLink(tree.resolve("short"), Path.of("small"));
        Files.createSymbolicLink(tree.resolve("long"), Path.of("x".repeat(90)));
        Path dir = Files.createDirectories(tree.resolve("dir/below/deeper"));
        for (int i = 0; i < 30; i++) {
            Files.write(dir.resolve("a-name-that-is-long-enough-to-need-some-blocks-" + i), new byte[i]);
        }
        Files.createLink(tree.resolve("dir/hard"), tree.resolve("small"));
    }

    private static void at(Path path, long offset) throws IOException {
        try (SeekableByteChannel file =
                Files.newByteChannel(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            file.position(offset).write(ByteBuffer.wrap(new byte[2000]));
        }
    }
}
