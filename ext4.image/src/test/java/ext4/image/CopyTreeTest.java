// SPDX-License-Identifier: Apache-2.0
package ext4.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trees copied both ways, against what the kernel's ext4 shows and what cp -a makes of it. */
class CopyTreeTest {
    private static final long SIZE = 192 << 20;

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void needJudges() {
        Oracles.needKernelMounts();
        for (String tool : new String[] {"setfacl", "setfattr", "getfattr", "find", "md5sum"}) {
            Oracles.needTool(tool);
        }
        file = directory.resolve("a.img");
        Assumptions.assumeTrue(
                Tool.run("setfattr", "-n", "user.probe", "-v", "1", directory).exit() == 0,
                "skipped: " + directory + " is on a filesystem without user attributes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "^has_journal,^metadata_csum"})
    void aRandomTreeGoesInAndComesOutAsItWas(String features) throws IOException {
        long seed = System.nanoTime();
        Path tree = directory.resolve("tree");
        HostTree.make(tree, seed, 300);
        try (Ext4Image image = Ext4Image.create(file, SIZE, FormatOptions.DEFAULTS.withFeatures(features))) {
            image.copyIn(tree, "/tree", Copying.ARCHIVE);
            image.copyOut("/tree", directory.resolve("out"), Copying.ARCHIVE);
            image.copy("/tree", "/again", Copying.ARCHIVE);
        }
        E2fsprogs.assertClean(file, "seed " + seed);
        Map<String, String> expected = HostTree.listingWithContent(tree);
        assertThat(HostTree.differences(HostTree.listingWithContent(directory.resolve("out")), expected))
                .as("seed %d, out", seed)
                .isEmpty();
        assertThat(HostTree.differences(HostTree.sectors(directory.resolve("out")), HostTree.sectors(tree)))
                .as("seed %d, holes", seed)
                .isEmpty();
        try (LoopMount mount = new LoopMount(file, "ro")) {
            Path seen = mount.root().resolve("tree");
            assertThat(HostTree.differences(HostTree.listingWithContent(seen), expected))
                    .as("seed %d, in", seed)
                    .isEmpty();
            assertThat(HostTree.differences(
                            HostTree.listingWithContent(mount.root().resolve("again")), expected))
                    .as("seed %d, inside", seed)
                    .isEmpty();
            // the target's blocks are no larger than the source's pages; a block more for extents and one for xattrs
            Map<String, Long> sectors = HostTree.sectors(seen);
            HostTree.sectors(tree)
                    .forEach((path, count) -> assertThat(sectors.get(path))
                            .as("seed %d, sectors of %s", seed, path)
                            .isLessThanOrEqualTo(count + 4));
        }
    }

    @Test
    void namesThatAreNotUtf8AndDeepTreesGoBothWays() throws IOException {
        Path tree = Files.createDirectory(directory.resolve("tree"));
        Tool.run(
                        "bash",
                        "-c",
                        "cd " + tree
                                + "; touch $'a\\377b' $'\\303' $'tab\\there'; mkdir $'d\\200'; echo x > $'d\\200/f'; "
                                + "ln -s $'\\377' $'l\\376'; for i in $(seq 400); do mkdir deepdirectoryname; "
                                + "cd deepdirectoryname; done; echo bottom > file; ln file link")
                .ok();
        Path out = directory.resolve("out");
        try (Ext4Image image = Ext4Image.create(file, SIZE, FormatOptions.DEFAULTS)) {
            image.copyIn(tree, "/t", Copying.ARCHIVE);
            assertThat(image.list("/t")).extracting(ImageEntry::name).contains("a\uDCFFb", "\uDCC3", "l\uDCFE");
            assertThat(image.readlink("/t/l\uDCFE")).isEqualTo("\uDCFF");
            assertThat(image.readString("/t/" + "deepdirectoryname/".repeat(400) + "link"))
                    .isEqualTo("bottom\n");
            image.copyOut("/t", out, Copying.ARCHIVE);
            try (var walk = image.walk("/t")) {
                assertThat(walk.count()).isEqualTo(1 + 6 + 1 + 400 + 1);
            }
        }
        E2fsprogs.assertClean(file, "after deep names");
        assertThat(HostTree.differences(HostTree.listing(out), HostTree.listing(tree)))
                .isEmpty();
    }

    /** Deeper than a path may be long, which is too deep for what removes the temporary folder. */
    @AfterEach
    void removeDeepTrees() {
        Tool.run("rm", "-rf", directory.resolve("out"), directory.resolve("tree"))
                .ok();
    }

    @Test
    void aLargeDirectoryGoesBothWays() throws IOException {
        Path tree = Files.createDirectory(directory.resolve("tree"));
        for (int i = 0; i < 10_000; i++) {
            Files.createFile(tree.resolve("entry-with-a-longer-name-" + i));
        }
        try (Ext4Image image = Ext4Image.create(file, SIZE, FormatOptions.DEFAULTS)) {
            image.copyIn(tree, "/t", Copying.ARCHIVE);
            assertThat(image.list("/t")).hasSize(10_000);
            image.copyOut("/t", directory.resolve("out"), Copying.RECURSIVE);
        }
        E2fsprogs.assertClean(file, "after 10 000 files");
        try (var out = Files.list(directory.resolve("out"));
                LoopMount mount = new LoopMount(file, "ro");
                var in = Files.list(mount.root().resolve("t"))) {
            assertThat(out.count()).isEqualTo(10_000);
            assertThat(in.count()).isEqualTo(10_000);
        }
    }

    @Test
    void whatIsThereIsReplacedOrMergedWith() throws IOException {
        Path tree = Files.createDirectories(directory.resolve("tree/sub"));
        Files.writeString(tree.resolve("f"), "new");
        try (Ext4Image image = Ext4Image.create(file, SIZE, FormatOptions.DEFAULTS)) {
            image.mkdirs("/t/sub");
            image.writeString("/t/sub/f", "old and longer");
            image.link("/t/sub/f", "/t/other");
            image.writeString("/t/kept", "kept");
            image.copyIn(tree.getParent(), "/t", Copying.RECURSIVE);
            assertThat(image.readString("/t/sub/f")).isEqualTo("new");
            assertThat(image.readString("/t/other")).isEqualTo("old and longer");
            assertThat(image.readString("/t/kept")).isEqualTo("kept");
            assertThatThrownBy(() -> image.copyIn(tree.resolve("f"), "/t/sub", Copying.FILE))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageContaining("is a directory");
            assertThatThrownBy(() -> image.copyIn(tree, "/t/kept", Copying.RECURSIVE))
                    .hasMessageContaining("exists and is not a directory");
            assertThatThrownBy(() -> image.copyIn(tree, "/x", Copying.FILE))
                    .hasMessageContaining("only a recursive copy");
            assertThatThrownBy(() -> image.copy("/t", "/t/sub/t", Copying.RECURSIVE))
                    .hasMessageContaining("the target is in");
            assertThatThrownBy(() -> image.copy("/t/kept", "/t/kept", Copying.FILE))
                    .hasMessageContaining("the same file");
            assertThatThrownBy(() -> image.copyIn(file, "/img", Copying.FILE))
                    .hasMessageContaining("is the image in use");
            assertThatThrownBy(() -> image.copyOut("/t/kept", file, Copying.FILE))
                    .hasMessageContaining("is the image in use");
        }
        E2fsprogs.assertClean(file, "after merging");
    }

    @Test
    void aFullImageKeepsNoHalfFileAndStaysClean() throws IOException {
        Path tree = Files.createDirectory(directory.resolve("tree"));
        for (int i = 0; i < 20; i++) {
            Files.write(tree.resolve("f" + i), new byte[1 << 20]);
        }
        List<IOException> failures = new ArrayList<>();
        CopyListener listener = new CopyListener() {
            @Override
            public void failed(IOException e) {
                failures.add(e);
            }
        };
        try (Ext4Image image = Ext4Image.create(file, 16 << 20, FormatOptions.DEFAULTS);
                Copier copier = new Copier(Copying.ARCHIVE, listener)) {
            assertThatThrownBy(() -> copier.copy(Endpoint.host(tree), Endpoint.image(image, "/t")))
                    .isInstanceOf(NoSpaceException.class)
                    .hasMessageContaining(file + ":/t/f");
            assertThat(image.list("/t"))
                    .isNotEmpty()
                    .allMatch(entry -> entry.attributes().size() == 1 << 20);
        }
        assertThat(failures).isEmpty();
        E2fsprogs.assertClean(file, "after ENOSPC");
    }

    @Test
    void aHostileImageCanNotWriteElsewhere() throws IOException {
        Path outside = Files.createDirectory(directory.resolve("outside"));
        E2fsprogs.mke2fs(file, 16 << 20, "-O", "^metadata_csum,^dir_index");
        Path source = Files.writeString(directory.resolve("evil"), "evil");
        E2fsprogs.debugfs(file, true, "mkdir b");
        E2fsprogs.debugfs(file, true, "write " + source + " b/f");
        E2fsprogs.debugfs(file, true, "symlink a " + outside);
        E2fsprogs.debugfs(file, true, "mkdir c");
        E2fsprogs.debugfs(file, true, "write " + source + " c/placeholder");
        byte[] bytes = Files.readAllBytes(file);
        rename(bytes, "b", "a"); // two names "a": a link out of the tree, and a directory with a file
        rename(bytes, "placeholder", "../../../xx");
        Files.write(file, bytes);
        List<String> failures = new ArrayList<>();
        CopyListener listener = new CopyListener() {
            @Override
            public void failed(IOException e) {
                failures.add(e.getMessage());
            }
        };
        try (Ext4Image image = Ext4Image.open(file);
                Copier copier = new Copier(Copying.ARCHIVE, listener)) {
            copier.copy(Endpoint.image(image, "/"), Endpoint.host(directory.resolve("out")));
        }
        assertThat(outside).isEmptyDirectory();
        assertThat(directory.resolve("xx")).doesNotExist();
        assertThat(failures).anyMatch(text -> text.contains("no slash"));
    }

    /** Changes a name in a directory entry, wherever one with that name and length stands. */
    private static void rename(byte[] image, String from, String to) {
        byte[] old = from.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        int changed = 0;
        for (int at = 8192; at < image.length - old.length - 2; at++) {
            boolean found = image[at] == old.length && (image[at + 1] == 1 || image[at + 1] == 2);
            for (int i = 0; found && i < old.length; i++) {
                found = image[at + 2 + i] == old[i];
            }
            if (found && image[at + 2 + old.length] == 0) {
                System.arraycopy(to.getBytes(java.nio.charset.StandardCharsets.US_ASCII), 0, image, at + 2, old.length);
                changed++;
            }
        }
        assertThat(changed).as("entries called %s", from).isPositive();
    }
}
