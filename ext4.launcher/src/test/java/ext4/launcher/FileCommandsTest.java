// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import static ext4.launcher.Run.ext4;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ls, cat, cp and tree on an image, beside the system's own commands. */
class FileCommandsTest {
    @TempDir
    private Path directory;

    private String image;
    private Path source;

    @BeforeEach
    void make() throws IOException {
        image = directory.resolve("a.img").toString();
        assertThat(ext4("mkfs", "-q", "--size", "16M", image).status()).isZero();
        source = Files.createDirectories(directory.resolve("src/sub/deep"))
                .getParent()
                .getParent();
        Files.writeString(source.resolve("file"), "content\n");
        Files.writeString(source.resolve("sub/with space"), "1");
        Files.writeString(source.resolve("sub/gr\u00FC\u00DFe\u001B[31m\n"), "22");
        Files.writeString(source.resolve(".hidden"), "");
        Files.createLink(source.resolve("sub/hard"), source.resolve("file"));
        Files.createSymbolicLink(source.resolve("link"), Path.of("sub/deep"));
        Files.createSymbolicLink(source.resolve("dangling"), Path.of("no where"));
        Files.setLastModifiedTime(source.resolve("file"), FileTime.from(Instant.ofEpochSecond(1_000_000_000, 5)));
    }

    @Test
    void lsIsTheSystemsLs() throws IOException {
        Oracles.needKernelMounts();
        Oracles.needTool("setfacl");
        Tool.run("mknod", source.resolve("device"), "c", "7", "300").ok();
        Tool.run("mkfifo", source.resolve("fifo")).ok();
        Tool.run("chmod", "7751", source.resolve("sub")).ok();
        Tool.run("setfacl", "-m", "u:5:r", source.resolve("sub/with space")).ok();
        assertThat(ext4("cp", "-a", source.toString(), image + ":/")).isEqualTo(new Run(0, "", ""));
        String plain = ext4("ls", image, "/src").out();
        String hidden = ext4("ls", "-a", image + ":/src").out();
        String all = ext4("ls", "-laR", image, "/src").out();
        String file = ext4("ls", "-l", image, "src/file", "src/link").out();
        try (LoopMount mount = new LoopMount(Path.of(image), "ro")) {
            assertThat(plain).isEqualTo(ls(mount, "-1b /src"));
            assertThat(hidden).isEqualTo(ls(mount, "-1ab /src"));
            assertThat(all).isEqualTo(ls(mount, "-lnabR /src"));
            assertThat(file).isEqualTo(ls(mount, "-lnb src/file src/link"));
        }
        assertThat(all).doesNotContain("\u001B").contains("\\033[31m\\n");
        E2fsprogs.assertClean(Path.of(image), "after cp and ls");
    }

    /** The system's ls, where the mount point is the root. */
    private static String ls(LoopMount mount, String words) {
        return Tool.run(
                        "bash",
                        "-c",
                        "cd " + mount.root() + " && LC_ALL=C.UTF-8 ls --time-style=long-iso "
                                + words.replace(" /", " " + mount.root() + "/"))
                .ok()
                .output()
                .replace(mount.root().toString(), "");
    }

    @Test
    void treeIsDrawn() {
        ext4("cp", "-a", source.toString(), image + ":/");
        assertThat(ext4("tree", image, "/src").out()).isEqualTo("""
                        /src
                        \u251C\u2500\u2500 dangling -> no\\ where
                        \u251C\u2500\u2500 file
                        \u251C\u2500\u2500 link -> sub/deep
                        \u2514\u2500\u2500 sub
                            \u251C\u2500\u2500 deep
                            \u251C\u2500\u2500 gr\u00FC\u00DFe\\033[31m\\n
                            \u251C\u2500\u2500 hard
                            \u2514\u2500\u2500 with\\ space

                        2 directories, 6 files
                        """);
        assertThat(ext4("tree", "-a", image + ":/src/sub/deep").out())
                .isEqualTo("/src/sub/deep\n\n0 directories, 0 files\n");
    }

    @Test
    void catWritesWhatIsThereAndSaysWhatIsNot() {
        ext4("cp", "-a", source + "/.", image + ":/");
        assertThat(ext4("cat", image, "/file", "sub/hard")).isEqualTo(new Run(0, "content\ncontent\n", ""));
        assertThat(ext4("cat", image + ":/file")).isEqualTo(new Run(0, "content\n", ""));
        assertThat(ext4("cat", image, "/none", "/sub", "/file"))
                .isEqualTo(new Run(
                        1,
                        "content\n",
                        "ext4: cat: /none: No such file or directory\next4: cat: /sub: Is a directory\n"));
    }

    @Test
    void cpGoesInOutAndBetweenImages() throws IOException {
        Oracles.needE2fsprogs();
        String other = directory.resolve("b.img").toString();
        ext4("mkfs", "-q", "--size", "16M", other);
        assertThat(ext4("cp", "-a", source.toString(), image + ":/")).isEqualTo(new Run(0, "", ""));
        assertThat(ext4("cp", "-a", image + ":src", other + ":/copy")).isEqualTo(new Run(0, "", ""));
        assertThat(ext4("cp", "-a", other + ":/copy/.", directory.resolve("out").toString()))
                .isEqualTo(new Run(0, "", ""));
        Tool.run("diff", "-r", "--no-dereference", source, directory.resolve("out"))
                .ok();
        assertThat(Files.getAttribute(directory.resolve("out/file"), "unix:nlink"))
                .isEqualTo(2);
        assertThat(Files.getLastModifiedTime(directory.resolve("out/file")))
                .isEqualTo(Files.getLastModifiedTime(source.resolve("file")));
        assertThat(ext4("cp", image + ":/src/file", image + ":/src/sub/hard", other + ":/"))
                .isEqualTo(new Run(0, "", ""));
        assertThat(ext4("cat", other, "/file", "/hard").out()).isEqualTo("content\ncontent\n");
        assertThat(ext4("cp", image + ":/src/file", image + ":/src/sub/again")).isEqualTo(new Run(0, "", ""));
        assertThat(ext4(
                                "cp",
                                "-r",
                                image + ":/src/link",
                                directory.resolve("asLink").toString())
                        .status())
                .isZero();
        assertThat(directory.resolve("asLink")).isSymbolicLink();
        E2fsprogs.assertClean(Path.of(image), "source");
        E2fsprogs.assertClean(Path.of(other), "target");
    }

    /** DIR stands for the folder of all, IMG for an image in it, SRC for a tree. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ls DIR/no.img | 2 | ls: DIR/no.img: No such file or directory",
                "ls DIR/text | 2 | ls: DIR/text: superblock of DIR/text: device size is 5 bytes, expected at least 2048",
                "ls IMG /no | 2 | ls: /no: No such file or directory",
                "ls IMG:/no | 2 | ls: /no: No such file or directory",
                "tree IMG /no | 1 | tree: /no: No such file or directory",
                "cat IMG /loop | 1 | cat: /loop: Too many levels of symbolic links",
                "cp SRC IMG:/ | 1 | cp: SRC: is a directory, which only a recursive copy takes",
                "cp SRC/no IMG:/ | 1 | cp: SRC/no: No such file or directory",
                "cp SRC/file IMG:/no/x | 1 | cp: IMG:/no/x: No such file or directory",
                "cp SRC/file SRC/link IMG:/new | 1 | cp: IMG:/new: not a directory",
                "cp DIR/fifo IMG:/x | 1 | cp: DIR/fifo: is not a regular file, which only a recursive copy takes",
                "cp SRC/file DIR/x | 1 | cp: neither SRC/file nor DIR/x is IMAGE:PATH",
                "cp SRC/file none.img:/x | 1 | cp: none.img: No such file or directory",
                "cp -a IMG IMG:/ | 1 | cp: IMG: is the image in use",
                "cp -a SRC/file IMG:/loop/x | 1 | cp: IMG:/loop/x: Too many levels of symbolic links",
                "cp -r IMG:/lost+found IMG:/lost+found | 1 | cp: IMG:/lost+found: is a directory that the target is in",
                "cp DIR/big IMG:/ | 1 | cp: IMG:/big: No space left on device",
                "cp SRC/file | 2 | cp: missing required parameter: 'DST'; see ext4 help cp",
            })
    void whatIsWrongIsOneClearLine(String words, int status, String line) throws IOException {
        Oracles.needE2fsprogs();
        Files.writeString(directory.resolve("text"), "text\n");
        Files.write(directory.resolve("big"), new byte[20 << 20]);
        Tool.run("mkfifo", directory.resolve("fifo")).ok();
        Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
        ext4("cp", "-a", directory.resolve("loop").toString(), image + ":/");
        Run run = ext4(named(words).split(" "));
        assertThat(run.err()).isEqualTo("ext4: " + named(line) + "\n");
        assertThat(run.out()).isEmpty();
        assertThat(run.status()).isEqualTo(status);
        E2fsprogs.assertClean(Path.of(image), words);
    }

    private String named(String words) {
        return words.replace("SRC/", source + "/")
                .replace("SRC ", source + " ")
                .replace("SRC:", source + ":")
                .replace("IMG", image)
                .replace("DIR", directory.toString());
    }

    @Test
    void anImageThatIsMountedIsLeftAlone() {
        Oracles.needKernelMounts();
        try (LoopMount mount = new LoopMount(Path.of(image), "rw")) {
            Run run = ext4("cp", source.resolve("file").toString(), image + ":/");
            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err())
                    .startsWith("ext4: cp: " + image + ": in use by /dev/loop")
                    .hasLineCount(1);
            assertThat(mount.root().resolve("file")).doesNotExist();
        }
    }

    @Test
    void aDamagedImageGivesLinesAndNoStackTrace() throws IOException {
        assertThat(ext4("cp", "-a", source.toString(), image + ":/").status()).isZero();
        byte[] good = Files.readAllBytes(Path.of(image));
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 40; i++) {
            byte[] bad = good.clone();
            for (int n = 1 + random.nextInt(200); n > 0; n--) {
                // metadata lies at the beginning: superblock, descriptors, bitmaps, inodes
                bad[1024 + random.nextInt(1 << 20)] = (byte) random.nextInt(256);
            }
            Files.write(Path.of(image), bad);
            String what = "seed " + seed + ", image " + i;
            said(ext4("ls", "-laR", image), what);
            said(ext4("tree", image), what);
            said(ext4("cp", "-a", image + ":/", directory.resolve("out" + i).toString()), what);
            assertThat(Files.readAllBytes(Path.of(image))).as(what).isEqualTo(bad);
            said(ext4("cp", "-a", source.toString(), image + ":/again"), what);
        }
    }

    private static void said(Run run, String what) {
        assertThat(run.status()).as(what).isBetween(0, 2);
        assertThat(run.err().lines()).as(what).allMatch(line -> line.startsWith("ext4: "));
        assertThat(run.err().isEmpty()).as(what).isEqualTo(run.status() == 0);
    }

    @Test
    void aCopyThatIsToldToEndLeavesACleanImage() throws Exception {
        Oracles.needE2fsprogs();
        assertThat(ext4("mkfs", "-q", "-F", "--size", "400M", "-O", "^has_journal", image)
                        .status())
                .isZero();
        Path tree = Files.createDirectory(directory.resolve("many"));
        byte[] bytes = new byte[100_000];
        for (int i = 0; i < 3000; i++) {
            Files.write(tree.resolve("f" + i), bytes);
        }
        Process copy = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "ext4.launcher.Main",
                        "cp",
                        "-r",
                        tree.toString(),
                        image + ":/")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("said").toFile())
                .start();
        long before = allocated();
        while (copy.isAlive() && allocated() < before + 20_000) {
            Thread.onSpinWait();
        }
        copy.destroy();
        assertThat(copy.waitFor())
                .as(Files.readString(directory.resolve("said")))
                .isEqualTo(143);
        assertThat(directory.resolve("said")).isEmptyFile();
        E2fsprogs.assertClean(Path.of(image), "after SIGTERM");
        assertThat(ext4("ls", image, "/many").out().lines().count()).isBetween(1L, 2999L);
    }

    /** Sectors that the image takes. */
    private long allocated() {
        return Long.parseLong(Tool.run("stat", "-c", "%b", image).ok().output().strip());
    }

    @Test
    void argumentsThatTheLocaleCanNotSayAreReadAllTheSame() throws IOException {
        Oracles.needTool("bash");
        Path main = directory.resolve("run.sh");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Files.writeString(
                main,
                "export LC_ALL=C\ncd " + directory + "\nprintf x > $'n\\377\\303\\251'\n"
                        + "j() { " + java + " -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -cp '"
                        + System.getProperty("java.class.path") + "' ext4.launcher.Main \"$@\"; }\n"
                        + "j cp $'n\\377\\303\\251' a.img:/ && j ls a.img && j cat a.img $'/n\\377\\303\\251' && "
                        + "j cp a.img:/$'n\\377\\303\\251' $'out\\376' && cat $'out\\376'\n");
        assertThat(Tool.run("bash", main).ok().output().getBytes(UTF_8))
                .isEqualTo("lost+found\nn\\377\u00E9\nxx".getBytes(UTF_8));
    }
}
