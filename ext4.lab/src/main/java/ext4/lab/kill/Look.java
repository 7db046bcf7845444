// SPDX-License-Identifier: Apache-2.0
package ext4.lab.kill;

import ext4.api.block.BlockDevice;
import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.MountOptions;
import ext4.lab.soak.Commands;
import ext4.lab.stack.Stack;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What is in the image that was left: recovered by this project and, on another copy, by e2fsck, all promises are there. */
final class Look {
    private static final int ROOT = 2;
    private static final int UNCORRECTED = 4;

    private final Site site;
    private final Map<String, PromiseLoad.Promise> promises;
    private final List<String> broken = new ArrayList<>();
    private final List<String> unclean = new ArrayList<>();

    Look(Site site, Map<String, PromiseLoad.Promise> promises) {
        this.site = site;
        this.promises = promises;
    }

    /** Promises that were not kept. */
    List<String> broken() {
        return broken;
    }

    /** What e2fsck finds. */
    List<String> unclean() {
        return unclean;
    }

    /** @param unmounted whether it was unmounted in order, so that nothing is to be recovered */
    void look(boolean unmounted) throws IOException, InterruptedException {
        if (unmounted) {
            String header =
                    Commands.must(Commands.find("dumpe2fs"), "-h", site.image().toString());
            if (header.contains("needs_recovery")) {
                unclean.add("unmounted, and still says needs_recovery");
            }
            check(site.image(), "-fn", 0, "as it was unmounted");
        }
        Path here = Files.copy(site.image(), site.file("here.img"), StandardCopyOption.REPLACE_EXISTING);
        try {
            compare(here, "recovered here");
            boolean errors = Commands.must(Commands.find("dumpe2fs"), "-h", here.toString())
                    .contains("clean with errors");
            check(here, errors ? "-fy" : "-fn", errors ? 1 : 0, "recovered here");
        } finally {
            Files.delete(here);
        }
        Path repaired = Files.copy(site.image(), site.file("fsck.img"), StandardCopyOption.REPLACE_EXISTING);
        try {
            check(repaired, "-fy", 1, "recovered by e2fsck");
            compare(repaired, "recovered by e2fsck");
        } finally {
            Files.delete(repaired);
        }
    }

    private void check(Path image, String how, int worst, String when) throws IOException, InterruptedException {
        Commands.Result result = Commands.run(List.of(Commands.find("e2fsck"), how, image.toString()));
        if (result.status() > worst || result.status() >= UNCORRECTED) {
            unclean.add(when + ": e2fsck " + how + " exits with " + result.status() + ":\n" + result.output());
        }
    }

    private void compare(Path image, String when) {
        try (BlockDevice device = Stack.open(image, false);
                CoreFileSystem fs = Stack.mount(device, MountOptions.DEFAULTS, "sharded")) {
            promises.forEach((path, promise) -> compare(fs, path, promise, when));
        } catch (Ext4Exception e) {
            broken.add(when + ": " + e);
        }
    }

    private void compare(CoreFileSystem fs, String path, PromiseLoad.Promise promise, String when) {
        try {
            byte[] found = read(fs, path);
            if (!Arrays.equals(found, promise.content())) {
                broken.add(when + ": " + path + " has " + found.length + " bytes, which are not the " + promise.length()
                        + " that were synced");
            }
        } catch (Ext4Exception e) {
            broken.add(when + ": " + path + ": " + e.getMessage());
        }
    }

    private static byte[] read(CoreFileSystem fs, String path) {
        Attributes found = new Attributes();
        found.ino = ROOT;
        for (String name : path.split("/")) {
            int parent = found.ino;
            fs.lookup(parent, name.getBytes(StandardCharsets.UTF_8), found);
            if (parent != ROOT) {
                fs.forget(parent, 1);
            }
        }
        ByteBuffer content = ByteBuffer.allocate(Math.toIntExact(found.size));
        while (content.hasRemaining() && fs.read(found.ino, content.position(), content) > 0) {
            // until the end
        }
        fs.forget(found.ino, 1);
        return content.array();
    }
}
