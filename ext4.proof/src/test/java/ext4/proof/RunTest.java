// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.E2fsprogs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A container whose mounts are files of a folder, as an operator runs it. */
@Timeout(600)
class RunTest {
    private static final String A = "ext4.mount-a.cfg";

    @TempDir
    Path temp;

    @BeforeAll
    static void judges() {
        Ext4.needMounts();
    }

    private Path image(String name) {
        Path image = temp.resolve(name + ".img");
        E2fsprogs.mke2fs(image, 48L << 20, "-O", "orphan_file");
        return image;
    }

    private Path directory(String name) throws IOException {
        return Files.createDirectory(temp.resolve(name));
    }

    private static String[] lines(Path image, Path directory, String... more) {
        String[] lines = new String[2 + more.length];
        lines[0] = "image = " + image;
        lines[1] = "mountpoint = " + directory;
        System.arraycopy(more, 0, lines, 2, more.length);
        return lines;
    }

    private static String mounted(Path image, Path directory, String strategy) {
        return A + " " + image + " " + directory + " mounted " + strategy;
    }

    private static long switches(RunningContainer container, Path directory) throws IOException {
        return container.ask("ext4:stats " + directory).stream()
                .filter(line -> line.startsWith("switches: "))
                .mapToLong(line -> Long.parseLong(line.substring("switches: ".length())))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aFileMountsItsEditSwitchesItsEndUnmounts() throws Exception {
        Path image = image("a");
        Path mnt = directory("mnt");
        try (RunningContainer container = RunningContainer.withShell(temp)) {
            assertThat(container.ask("ext4:mounts")).containsExactly("no mount is configured");
            container.configure(A, lines(image, mnt, "# for the tests", "orphan.strategy = global"));
            container.awaitRow(A, mounted(image, mnt, "global"));
            try (OpenFileLoad load = new OpenFileLoad(mnt)) {
                for (String strategy : List.of("sharded", "global", "sharded")) {
                    load.goOn();
                    container.configure(A, lines(image, mnt, "# for the tests", "orphan.strategy = " + strategy));
                    container.awaitRow(A, mounted(image, mnt, strategy));
                }
                load.goOn();
                theShellsChoiceIsWrittenToTheFile(container, image, mnt);
                load.goOn();
            }
            orphansAreListed(container, mnt);
            Files.delete(container.conf.resolve(A));
            container.await(() -> container.row(A), String::isEmpty, "end of the configuration");
            container.await(() -> container.logged(" is unmounted and clean"), all -> all.size() == 1, "unmount");
            assertThat(Ext4.isMounted(mnt)).isFalse();
            E2fsprogs.assertClean(image, "after its configuration was removed");
            assertThat(container.endInput()).isZero();
        }
    }

    private static void theShellsChoiceIsWrittenToTheFile(RunningContainer container, Path image, Path mnt)
            throws Exception {
        Path file = container.conf.resolve(A);
        long before = switches(container, mnt);
        assertThat(container.ask("ext4:strategy " + mnt + " global"))
                .singleElement()
                .asString()
                .startsWith("sharded -> global: ");
        container.await(
                () -> Files.readString(file), text -> text.contains("orphan.strategy = global"), "name in " + file);
        assertThat(file).content().contains("# for the tests", "image = " + image);
        // no echo: the next edit is the next switch
        container.configure(A, lines(image, mnt, "# for the tests", "orphan.strategy = sharded", "part.limit = 7"));
        container.awaitRow(A, mounted(image, mnt, "sharded"));
        assertThat(switches(container, mnt)).isEqualTo(before + 2);
        assertThat(container.ask("ext4:strategy " + mnt)).contains("current: sharded", "named: sharded");
    }

    private static void orphansAreListed(RunningContainer container, Path mnt) throws IOException {
        // A number that a transaction gives back and takes again keeps its old place in the list until it closes.
        assertThat(container.ask("ext4:sync " + mnt)).isEmpty();
        Path file = mnt.resolve("orphan");
        try (FileChannel open = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            open.write(ByteBuffer.wrap(new byte[777]));
            Files.delete(file);
            assertThat(container.ask("ext4:sync " + mnt)).isEmpty();
            assertThat(container.ask("ext4:orphans " + mnt))
                    .hasSize(2)
                    .last()
                    .asString()
                    .matches("[0-9]+ +0 +777 +orphan file, block 0 slot [0-9]+");
        }
    }

    @Test
    void theShellMountsAndUnmountsLikeMount8() throws Exception {
        Path image = image("a");
        Path mnt = directory("mnt");
        try (RunningContainer container = RunningContainer.withShell(temp)) {
            String mount = "ext4:mount -o orphan=global " + image + " " + mnt;
            assertThat(container.ask(mount)).isEmpty();
            assertThat(container.ask("ext4:mounts").getLast()).contains(image.toString(), " mounted ", " global");
            assertThat(container.ask(mount))
                    .containsExactly("gogo: MountException: " + mnt + ": already mounted by another configuration");
            Path file = Files.writeString(mnt.resolve("file"), "hello");
            try (FileChannel open = FileChannel.open(file)) {
                assertThat(container.ask("ext4:umount " + mnt))
                        .containsExactly("gogo: MountException: " + mnt + ": target is busy");
                assertThat(open.size()).isEqualTo(5);
            }
            assertThat(container.ask("ext4:umount " + mnt)).isEmpty();
            E2fsprogs.assertClean(image, "after ext4:umount");
            container.await(
                    () -> container.ask("ext4:mounts"), List.of("no mount is configured")::equals, "forgotten mount");

            // what a file configures is still configured when it is unmounted, as with fstab
            container.configure(A, lines(image, mnt, "orphan.strategy = sharded"));
            container.awaitRow(A, mounted(image, mnt, "sharded"));
            assertThat(container.ask("ext4:umount " + mnt)).isEmpty();
            assertThat(container.row(A)).isEqualTo(A + " " + image + " " + mnt + " unmounted -");
            assertThat(container.conf.resolve(A)).exists();
            assertThat(container.ask("ext4:mount " + mnt)).isEmpty();
            assertThat(mnt.resolve("file")).hasContent("hello");
            assertThat(Ext4.run("umount", mnt.toString()).ok().output()).isEmpty(); // by the command
            assertThat(container.row(A)).contains(" unmounted ");
            assertThat(container.terminate()).isEqualTo(128 + 15);
        }
        E2fsprogs.assertClean(image, "at the end");
    }

    @Test
    void badConfigurationsSayWhyAndLeaveOthersAlone() throws Exception {
        Path good = image("a");
        Path goodMnt = directory("mnt");
        Path image = image("b");
        Path mnt = directory("other");
        try (RunningContainer container = RunningContainer.withShell(temp)) {
            container.configure(A, lines(good, goodMnt, "orphan.strategy = global"));
            container.awaitRow(A, mounted(good, goodMnt, "global"));
            try (OpenFileLoad load = new OpenFileLoad(goodMnt)) {
                Path none = temp.resolve("none");
                bad(
                        container,
                        load,
                        image + ": unknown mount option 'nonsense'",
                        lines(image, mnt, "options=nonsense"));
                bad(container, load, none + ": no such file", lines(none, mnt));
                bad(container, load, none + ": mount point does not exist", lines(image, none));
                bad(container, load, good + ": in use by this process", lines(good, mnt));
                bad(container, load, goodMnt + ": already mounted by another configuration", lines(image, goodMnt));
                bad(container, load, image + ": the configuration has no mountpoint", "image = " + image);
                bad(
                        container,
                        load,
                        image + ": unknown orphan strategy 'fast'; available: global, sharded",
                        lines(image, mnt, "orphan.strategy = fast"));
                container.configure("ext4.mount-bad.cfg", lines(image, mnt, "orphan.strategy = sharded"));
                container.awaitRow(
                        "ext4.mount-bad.cfg", "ext4.mount-bad.cfg " + image + " " + mnt + " mounted sharded");
                load.goOn();
            }
            assertThat(container.row(A)).isEqualTo(mounted(good, goodMnt, "global"));
            assertThat(container.terminate()).isEqualTo(128 + 15);
        }
        E2fsprogs.assertClean(good, "at the end");
        E2fsprogs.assertClean(image, "at the end");
    }

    /** The file says it this way: it doesn't come up, and one line of the log and of ext4:mounts says why. */
    private static void bad(RunningContainer container, OpenFileLoad load, String reason, String... lines)
            throws Exception {
        String file = "ext4.mount-bad.cfg";
        container.configure(file, lines);
        container.awaitRow(file, ".* (failed|waiting) - " + Pattern.quote(reason));
        container.await( // the row is there first
                () -> container.logged("ext4.mount.refused", reason), told -> !told.isEmpty(), "log of " + reason);
        assertThat(container.logged("ext4.mount.refused", reason)).hasSize(1);
        load.goOn();
    }

    @Test
    void aBadChangeOfARunningMountIsRefusedAndItGoesOn() throws Exception {
        Path image = image("a");
        Path mnt = directory("mnt");
        String[] asItIs = lines(image, mnt, "orphan.strategy = global");
        String up = mounted(image, mnt, "global");
        try (RunningContainer container = RunningContainer.withShell(temp)) {
            container.configure(A, asItIs);
            container.awaitRow(A, up);
            try (OpenFileLoad load = new OpenFileLoad(mnt)) {
                refused(container, load, up, "unknown mount option 'nonsense'", lines(image, mnt, "options=nonsense"));
                refused(
                        container,
                        load,
                        up,
                        "image can't be changed while it is mounted; unmount and mount it again",
                        lines(image("b"), mnt, "orphan.strategy = sharded"));
                refused(
                        container,
                        load,
                        up,
                        "orphan strategy 'fast' is not there; available: global, sharded",
                        lines(image, mnt, "orphan.strategy = fast"));
                container.configure(A, asItIs);
                container.awaitRow(A, up);
                load.goOn();
                assertThat(switches(container, mnt)).isZero();
            }
            assertThat(container.terminate()).isEqualTo(128 + 15);
        }
        E2fsprogs.assertClean(image, "at the end");
    }

    private static void refused(
            RunningContainer container, OpenFileLoad load, String up, String reason, String... lines) throws Exception {
        container.configure(A, lines);
        container.await(
                () -> container.row(A), (up + " change refused: " + reason)::equals, "refusal that says " + reason);
        container.await( // the row is there first
                () -> container.logged(reason.split(";")[0]), told -> !told.isEmpty(), "log of " + reason);
        load.goOn();
    }

    @Test
    void aBundleOfTheDeployFolderIsAPartForAsLongAsItLiesThere() throws Exception {
        Path image = image("a");
        Path mnt = directory("mnt");
        Path storage = temp.resolve("storage");
        Path jar = temp.resolve("deploy/third.jar");
        try (RunningContainer container = RunningContainer.withShell(temp, "--storage", storage.toString())) {
            container.configure(A, lines(image, mnt, "orphan.strategy = third"));
            container.awaitRow(A, ".* waiting - .*: unknown orphan strategy 'third'; available: global, sharded");
            ThirdParty.strategy("third", jar);
            container.awaitRow(A, mounted(image, mnt, "third"));
            try (OpenFileLoad load = new OpenFileLoad(mnt)) {
                load.goOn();
                container.configure(A, lines(image, mnt, "orphan.strategy = sharded"));
                container.awaitRow(A, mounted(image, mnt, "sharded"));
                Files.delete(jar);
                container.await(
                        () -> container.ask("ext4:strategy " + mnt),
                        lines -> lines.contains("available: global, sharded"),
                        "end of the strategy");
                load.goOn();
            }
            assertThat(container.endInput()).isZero();
        }
        E2fsprogs.assertClean(image, "at the end of the container");
        // what a storage keeps is not in the way of what the files say now
        Files.delete(temp.resolve("conf").resolve(A));
        try (RunningContainer container = RunningContainer.withShell(temp, "--storage", storage.toString())) {
            container.await(
                    () -> container.ask("ext4:mounts"), List.of("no mount is configured")::equals, "empty folder");
            container.configure(A, lines(image, mnt, "orphan.strategy = global"));
            container.awaitRow(A, mounted(image, mnt, "global"));
            assertThat(container.endInput()).isZero();
        }
        E2fsprogs.assertClean(image, "at the end of the second container");
    }
}
