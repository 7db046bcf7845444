// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Tool;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ext4 restart}: the process that serves a mount is replaced while it is busy, and no call fails. */
class PlannedRestartTest {
    private static final int RESTARTS = 3;
    private static final int LISTED = 3000;
    private static final Pattern PAUSE = Pattern.compile("pause (\\d+) ms");

    @TempDir
    Path temp;

    @BeforeAll
    static void judges() {
        Ext4.needMounts();
    }

    private Path image(String... options) throws Exception {
        Path image = temp.resolve("disk.img");
        E2fsprogs.mke2fs(image, 256L << 20, options);
        return image;
    }

    @ParameterizedTest
    @ValueSource(strings = {"orphan=sharded", "orphan=global"})
    void severalRestartsUnderLoad(String options) throws Exception {
        Path image = image("-O", "orphan_file");
        List<Long> pauses = new ArrayList<>();
        byte[] kept = new byte[300_000];
        new Random(7).nextBytes(kept);
        try (KeptMount mount = new KeptMount(image, Files.createDirectory(temp.resolve("mnt")), options)) {
            Path list = Files.createDirectory(mount.directory.resolve("list"));
            for (int i = 0; i < LISTED; i++) {
                Files.createFile(list.resolve("entry" + i));
            }
            TreeSet<String> seen = new TreeSet<>();
            Path name = mount.directory.resolve("unlinked");
            try (FileChannel unlinked = FileChannel.open(
                            name, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
                    DirectoryStream<Path> half = Files.newDirectoryStream(list)) {
                unlinked.write(ByteBuffer.wrap(kept));
                Files.delete(name);
                Iterator<Path> entries = half.iterator();
                for (int i = 0; i < LISTED / 2; i++) {
                    seen.add(entries.next().getFileName().toString());
                }
                try (OpenFileLoad load = new OpenFileLoad(mount.directory)) {
                    for (int i = 0; i < RESTARTS; i++) {
                        load.goOn();
                        pauses.add(restart(mount));
                        assertArrayEquals(kept, contents(unlinked), "the open file without a name");
                    }
                    load.goOn();
                }
                entries.forEachRemaining(
                        entry -> assertTrue(seen.add(entry.getFileName().toString()), entry + " comes twice"));
                assertEquals(LISTED, seen.size(), "entries of the directory that was half read");
            }
            assertEquals(RESTARTS, count(mount.log(), ": goes on, pause"), mount.log());
            mount.unmount();
        }
        E2fsprogs.assertClean(image, "after " + RESTARTS + " restarts");
        try (LoopMount kernel = new LoopMount(image, "ro")) {
            assertEquals(2, kernel.root().toFile().list().length, "list and lost+found");
        }
        System.out.println(RESTARTS + " restarts under load, " + options + ", pauses in ms: " + pauses);
    }

    private static long restart(KeptMount mount) throws Exception {
        long before = mount.server(0);
        String report = Ext4.run("restart", mount.directory.toString()).ok().output();
        Matcher pause = PAUSE.matcher(report);
        assertTrue(pause.find(), report);
        assertNotEquals(before, mount.server(0), report);
        return Long.parseLong(pause.group(1));
    }

    private static byte[] contents(FileChannel file) throws Exception {
        ByteBuffer content = ByteBuffer.allocate((int) file.size());
        while (content.hasRemaining() && file.read(content, content.position()) > 0) {
            // until all is there
        }
        return content.array();
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    @Test
    void whatWasChangedWhileItWasMountedStaysSo() throws Exception {
        Path image = image();
        try (KeptMount mount = new KeptMount(image, Files.createDirectory(temp.resolve("mnt")), "orphan=global")) {
            Files.writeString(mount.directory.resolve("file"), "content");
            Ext4.run("strategy", mount.directory.toString(), "sharded").ok();
            Ext4.run("mount", "-o", "remount,ro", mount.directory.toString()).ok();
            restart(mount);
            assertEquals("sharded", mount.status("orphan strategy named"));
            assertEquals(1, Tool.run("touch", mount.directory.resolve("new")).exit(), "it is read-only");
            Ext4.run("mount", "-o", "remount,rw", mount.directory.toString()).ok();
            restart(mount);
            assertEquals("content", Files.readString(mount.directory.resolve("file")));
            Files.writeString(mount.directory.resolve("new"), "written");
            mount.unmount();
        }
        E2fsprogs.assertClean(image, "after restarts read-only and read-write");
    }

    @Test
    void withoutAJournalToo() throws Exception {
        Path image = image("-O", "^has_journal");
        try (KeptMount mount = new KeptMount(image, Files.createDirectory(temp.resolve("mnt")), "orphan=sharded")) {
            try (OpenFileLoad load = new OpenFileLoad(mount.directory)) {
                load.goOn();
                restart(mount);
                load.goOn();
            }
            mount.unmount();
        }
        E2fsprogs.assertClean(image, "after a restart without a journal");
        String superblock = Tool.run("dumpe2fs", "-h", image).ok().output();
        assertTrue(superblock.matches("(?s).*Filesystem state: +clean\n.*"), superblock);
    }

    @Test
    void whereTheNewProcessCantStartTheOldOneGoesOn() throws Exception {
        Path image = image();
        try (KeptMount mount = new KeptMount(image, Files.createDirectory(temp.resolve("mnt")), "orphan=sharded")) {
            long before = mount.server(0);
            Path elsewhere = Files.move(image, temp.resolve("elsewhere.img"));
            try (OpenFileLoad load = new OpenFileLoad(mount.directory)) {
                load.goOn();
                Tool.Result refused = Ext4.run("restart", mount.directory.toString());
                assertEquals(1, refused.exit());
                assertEquals(1, refused.output().lines().count(), refused.output());
                assertTrue(refused.output().contains("not restarted"), refused.output());
                load.goOn();
            }
            assertEquals(before, mount.server(0));
            Files.move(elsewhere, image);
            restart(mount);
            mount.unmount();
        }
        E2fsprogs.assertClean(image, "after a refused restart");
    }

    @Test
    void withoutAKeeperItSaysSoInOneLine() throws Exception {
        Path image = image();
        Path directory = Files.createDirectory(temp.resolve("mnt"));
        Ext4.run("mount", image.toString(), directory.toString()).ok();
        try {
            Tool.Result refused = Ext4.run("restart", directory.toString());
            assertEquals(1, refused.exit());
            assertEquals(
                    "ext4: restart: " + directory.toRealPath()
                            + ": its process can't be replaced: it has no keeper; mount it with -o keep\n",
                    refused.output());
        } finally {
            Ext4.run("umount", directory.toString()).ok();
        }
        Tool.Result alone = Ext4.run("mount", "-f", "-o", "keep", image.toString(), directory.toString());
        assertEquals(1, alone.exit());
        assertTrue(alone.output().contains("no keeper process started this one"), alone.output());
    }
}
