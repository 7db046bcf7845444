// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.FileSystem;
import ext4.core.inode.Inode;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others' bug reports and the man pages say, one by one; after each e2fsck has nothing to say. */
class KnownAnswersTest {
    private static final int ROOT = TestFileSystem.ROOT;
    private static final Credentials WHO = Credentials.ROOT;

    @TempDir
    Path folder;

    private Path image;
    private TestFileSystem fs;
    private final Attributes out = new Attributes();

    @BeforeEach
    void mount() throws Exception {
        Oracles.needE2fsprogs();
        image = folder.resolve("image");
        E2fsprogs.mke2fs(image, 32L << 20, "-b", "1024", "-O", "^has_journal", "-N", "4000");
        fs = new TestFileSystem(image);
    }

    @AfterEach
    void check() throws Exception {
        if (fs != null) {
            fs.close();
            E2fsprogs.assertClean(image, "afterwards");
        }
    }

    private static void fails(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        Ext4Exception.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private int symlink(String name, int length) {
        fs.symlink.symlink(WHO, ROOT, bytes(name), bytes("t".repeat(length)), out);
        return out.ino;
    }

    @Test
    void aTargetOf59BytesIsFastAndOneOf60TakesABlock() {
        int fast = symlink("fast", 59);
        assertThat(out.sectors).isZero();
        int slow = symlink("slow", 60);
        assertThat(out.sectors).isEqualTo(2);
        int longest = symlink("longest", 1023);
        assertThat(fs.readlink.readlink(fast)).isEqualTo(bytes("t".repeat(59)));
        assertThat(fs.readlink.readlink(slow)).isEqualTo(bytes("t".repeat(60)));
        assertThat(fs.readlink.readlink(longest)).isEqualTo(bytes("t".repeat(1023)));
        fails(Errno.ENAMETOOLONG, () -> symlink("too long", 1024));
        fails(Errno.ENOENT, () -> symlink("empty", 0));
        fails(Errno.EINVAL, () -> fs.readlink.readlink(ROOT));
    }

    /** A directory remembers the latest name that was looked for in vain, until it changes. */
    @Test
    void aNameLookedForInVainIsMadeOnceHoweverTheDirectoryChangedMeanwhile() {
        int dir = fs.mkdir(ROOT, "dir");
        for (int i = 0; i < 400; i++) {
            byte[] name = bytes("name" + i);
            fails(Errno.ENOENT, () -> fs.lookup.lookup(dir, name, out));
            if (i % 4 == 1) {
                fs.create(dir, "other" + i); // the room that was found is another's now
            } else if (i % 4 == 2) {
                fs.unlink.unlink(WHO, dir, bytes("name" + (i - 1)));
            } else if (i % 4 == 3) {
                fails(Errno.ENOENT, () -> fs.lookup.lookup(dir, bytes("none"), out));
            }
            fs.create(dir, "name" + i);
            fails(Errno.EEXIST, () -> fs.create.create(WHO, dir, name, 0644, out));
        }
        int found = 0;
        for (int i = 0; i < 400; i++) {
            if (i % 4 != 1) {
                fs.lookup.lookup(dir, bytes("name" + i), out);
                found++;
            } else {
                fs.lookup.lookup(dir, bytes("other" + i), out);
            }
        }
        assertThat(found).isEqualTo(300);
    }

    @Test
    void aFastSymlinkWithAnAttributeBlockStillReads() {
        int link = symlink("fast", 59);
        fs.setXattr.set(WHO, link, bytes("trusted.big"), new byte[500], 0);
        fs.lookup.lookup(ROOT, bytes("fast"), out);
        assertThat(out.sectors).isEqualTo(2);
        assertThat(fs.readlink.readlink(link)).isEqualTo(bytes("t".repeat(59)));
    }

    @Test
    void aNameOf256BytesIsTooLongEverywhereAndOneOf255Is() {
        byte[] name = bytes("n".repeat(256));
        int file = fs.create(ROOT, "n".repeat(255));
        fails(Errno.ENAMETOOLONG, () -> fs.lookup.lookup(ROOT, name, out));
        fails(Errno.ENAMETOOLONG, () -> fs.create.create(WHO, ROOT, name, 0644, out));
        fails(Errno.ENAMETOOLONG, () -> fs.mknod.mknod(WHO, ROOT, name, 0010644, 0, 0, out));
        fails(Errno.ENAMETOOLONG, () -> fs.mkdir.mkdir(WHO, ROOT, name, 0755, out));
        fails(Errno.ENAMETOOLONG, () -> fs.symlink.symlink(WHO, ROOT, name, name, out));
        fails(Errno.ENAMETOOLONG, () -> fs.link.link(WHO, file, ROOT, name, out));
        fails(Errno.ENAMETOOLONG, () -> fs.unlink.unlink(WHO, ROOT, name));
        fails(Errno.ENAMETOOLONG, () -> fs.rmdir.rmdir(WHO, ROOT, name));
        fails(Errno.ENAMETOOLONG, () -> fs.rename.rename(WHO, ROOT, name, ROOT, bytes("a"), 0));
        fails(Errno.ENAMETOOLONG, () -> fs.rename.rename(WHO, ROOT, bytes("n".repeat(255)), ROOT, name, 0));
    }

    @Test
    void namesThatNoDirectoryCanHold() {
        fails(Errno.EINVAL, () -> fs.create(ROOT, "a/b"));
        fails(Errno.EINVAL, () -> fs.create(ROOT, "a\0b"));
        fails(Errno.ENOENT, () -> fs.create(ROOT, ""));
        fails(Errno.EEXIST, () -> fs.create(ROOT, "."));
        fails(Errno.EEXIST, () -> fs.mkdir(ROOT, ".."));
        fails(Errno.EISDIR, () -> fs.unlink(ROOT, "."));
        fails(Errno.EINVAL, () -> fs.rmdir.rmdir(WHO, ROOT, bytes(".")));
        fails(Errno.ENOTEMPTY, () -> fs.rmdir.rmdir(WHO, ROOT, bytes("..")));
        fails(Errno.EBUSY, () -> fs.rename(ROOT, ".", ROOT, "x", 0));
    }

    @Test
    void linkNumber65001OfAFileIsTooMany() {
        int file = fs.create(ROOT, "file");
        setLinks(file, 64_999);
        fs.link.link(WHO, file, ROOT, bytes("number 65000"), out);
        assertThat(out.nlink).isEqualTo(65_000);
        fails(Errno.EMLINK, () -> fs.link.link(WHO, file, ROOT, bytes("number 65001"), out));
        setLinks(file, 2);
    }

    @Test
    void anIndexedDirectoryWithTooManySubdirectoriesSaysOneAndOthersRefuse() {
        int linear = fs.mkdir(ROOT, "linear");
        setLinks(linear, 65_000);
        fails(Errno.EMLINK, () -> fs.mkdir(linear, "one more"));
        fs.mkdir(ROOT, "moving");
        fails(Errno.EMLINK, () -> fs.rename(ROOT, "moving", linear, "moved", 0));
        setLinks(linear, 2);
        int indexed = fs.mkdir(ROOT, "indexed");
        for (int i = 0; i < 100; i++) {
            fs.create(indexed, "a file to make the directory longer than a block " + i);
        }
        setLinks(indexed, 65_000);
        fs.mkdir(indexed, "subdirectory");
        assertThat(fs.stat(ROOT, "indexed").nlink).isEqualTo(1);
        fs.mkdir(indexed, "another");
        assertThat(fs.stat(ROOT, "indexed").nlink).isEqualTo(1);
        fs.rmdir.rmdir(WHO, indexed, bytes("another"));
        assertThat(fs.stat(ROOT, "indexed").nlink).isEqualTo(1);
        setLinks(indexed, 3);
    }

    private void setLinks(int ino, int nlink) {
        Inode inode = fs.engine.inodes().get(ino);
        inode.lock.writeLock().lock();
        inode.nlink = nlink;
        inode.lock.writeLock().unlock();
        try (var handle = fs.ns.start(1, 0)) {
            fs.engine.records().write(handle, inode);
        }
        fs.engine.inodes().put(inode);
    }

    @Test
    void renameOverAnOpenFileLeavesItWithoutLinksAndAlive() {
        fs.create(ROOT, "new");
        int open = fs.create(ROOT, "open");
        fs.engine.pins().add(open);
        fs.rename(ROOT, "new", ROOT, "open", 0);
        fs.runEvictions();
        fs.ns.describe(open, out);
        assertThat(out.nlink).isZero();
        assertThat(fs.orphans.inos).containsExactly(open);
        fs.engine.forget(open, 1);
        fs.runEvictions();
        fails(Errno.ESTALE, () -> fs.ns.describe(open, out));
        assertThat(fs.orphans.inos).isEmpty();
    }

    @Test
    void rmdirWorksOnTheParentOfAnUnlinkedOpenFileAndMakesCreateInItNoEntry() {
        int directory = fs.mkdir(ROOT, "directory");
        int file = fs.create(directory, "file");
        fs.engine.pins().add(file);
        fs.engine.pins().add(directory);
        fails(Errno.ENOTEMPTY, () -> fs.rmdir.rmdir(WHO, ROOT, bytes("directory")));
        fs.unlink(directory, "file");
        fs.rmdir.rmdir(WHO, ROOT, bytes("directory"));
        fs.runEvictions();
        fails(Errno.ENOENT, () -> fs.create(directory, "x"));
        fails(Errno.ENOENT, () -> fs.mkdir(directory, "x"));
        fails(Errno.ENOENT, () -> fs.link.link(WHO, file, directory, bytes("x"), out));
        fails(Errno.ENOENT, () -> fs.lookup.lookup(directory, bytes("x"), out));
        fails(Errno.ENOENT, () -> fs.rename(directory, "x", ROOT, "y", 0));
        fails(Errno.ENOENT, () -> fs.readdir.readdir(directory, 0, (c, i, m, n, o, l) -> true));
        assertThat(fs.stat(ROOT, "lost+found").mode & 0170000).isEqualTo(0040000);
        fs.engine.forget(file, 1);
        fs.engine.forget(directory, 1);
    }

    @Test
    void aTmpfileIsFreedWithItsLastPinUnlessItGetsAName() {
        fs.tmpfile.tmpfile(WHO, ROOT, 0600, out);
        int unnamed = out.ino;
        fs.tmpfile.tmpfile(WHO, ROOT, 0600, out);
        int named = out.ino;
        assertThat(out.nlink).isZero();
        assertThat(fs.orphans.inos).containsExactlyInAnyOrder(unnamed, named);
        fs.link.link(WHO, named, ROOT, bytes("named"), out);
        assertThat(out.nlink).isEqualTo(1);
        fs.engine.forget(named, 2);
        fs.engine.forget(unnamed, 1);
        fs.runEvictions();
        assertThat(fs.orphans.inos).isEmpty();
        assertThat(fs.stat(ROOT, "named").ino).isEqualTo(named);
        fails(Errno.ESTALE, () -> fs.ns.describe(unnamed, out));
    }

    @Test
    void whatMayReplaceWhat() {
        int a = fs.mkdir(ROOT, "a");
        int b = fs.mkdir(ROOT, "b");
        fs.create(a, "file");
        fs.create(ROOT, "file");
        fails(Errno.ENOTDIR, () -> fs.rename(ROOT, "b", ROOT, "file", 0));
        fails(Errno.EISDIR, () -> fs.rename(ROOT, "file", ROOT, "b", 0));
        fails(Errno.ENOTEMPTY, () -> fs.rename(ROOT, "b", ROOT, "a", 0));
        fails(Errno.ENOENT, () -> fs.rename(ROOT, "nothing", ROOT, "a", 0));
        fails(Errno.EINVAL, () -> fs.rename(ROOT, "a", a, "below itself", 0));
        fails(Errno.EINVAL, () -> fs.rename(ROOT, "file", ROOT, "b", 7));
        fails(Errno.EEXIST, () -> fs.rename(ROOT, "file", ROOT, "b", FileSystem.RENAME_NOREPLACE));
        fails(Errno.ENOENT, () -> fs.rename(ROOT, "file", ROOT, "none", FileSystem.RENAME_EXCHANGE));
        fails(Errno.ENOTDIR, () -> fs.rename(fs.stat(a, "file").ino, "x", ROOT, "y", 0));
        fails(Errno.EISDIR, () -> fs.unlink(ROOT, "a"));
        fails(Errno.ENOTDIR, () -> fs.rmdir.rmdir(WHO, ROOT, bytes("file")));
        fails(Errno.EEXIST, () -> fs.mkdir(ROOT, "a"));
        fails(Errno.EPERM, () -> fs.link.link(WHO, a, ROOT, bytes("second"), out));
        fs.rename(ROOT, "a", ROOT, "b", 0);
        assertThat(fs.stat(ROOT, "b").ino).isEqualTo(a).isNotEqualTo(b);
        assertThat(rootLinks()).isEqualTo(4);
    }

    private int rootLinks() {
        fs.ns.describe(ROOT, out);
        return out.nlink;
    }

    @Test
    void aDirectoryThatMovesTakesItsParentAlong() {
        int a = fs.mkdir(ROOT, "a");
        int b = fs.mkdir(ROOT, "b");
        int deep = fs.mkdir(fs.mkdir(a, "sub"), "deep");
        assertThat(rootLinks()).isEqualTo(5);
        fs.rename(ROOT, "b", deep, "b", 0);
        assertThat(fs.stat(b, "..").ino).isEqualTo(deep);
        assertThat(rootLinks()).isEqualTo(4);
        fails(Errno.EINVAL, () -> fs.rename(ROOT, "a", b, "loop", 0));
        fails(Errno.EINVAL, () -> fs.rename(ROOT, "a", deep, "b", FileSystem.RENAME_EXCHANGE));
        fails(Errno.ENOTEMPTY, () -> fs.rename(deep, "b", ROOT, "a", 0));
    }

    @Test
    void exchangeSwapsNamesParentsAndCounts() {
        int a = fs.mkdir(ROOT, "a");
        int sub = fs.mkdir(a, "sub");
        int file = fs.create(ROOT, "file");
        fs.rename(ROOT, "file", a, "sub", FileSystem.RENAME_EXCHANGE);
        assertThat(fs.stat(ROOT, "file").ino).isEqualTo(sub);
        assertThat(fs.stat(a, "sub").ino).isEqualTo(file);
        assertThat(fs.stat(sub, "..").ino).isEqualTo(ROOT);
        assertThat(fs.stat(ROOT, "a").nlink).isEqualTo(2);
        assertThat(rootLinks()).isEqualTo(5);
    }

    @Test
    void renameToAnotherLinkOfTheSameFileDoesNothing() {
        int file = fs.create(ROOT, "one");
        fs.link.link(WHO, file, ROOT, bytes("two"), out);
        fs.engine.forget(file, 1);
        fs.rename(ROOT, "one", ROOT, "two", 0);
        fs.rename(ROOT, "one", ROOT, "one", 0);
        assertThat(fs.stat(ROOT, "one").nlink).isEqualTo(2);
        assertThat(fs.stat(ROOT, "two").ino).isEqualTo(file);
    }

    @Test
    void aSetGroupIdDirectoryHandsDownItsGroupAndSubdirectoriesTheBit() {
        Credentials user = new Credentials(1000, 1000, 027);
        fs.mkdir.mkdir(WHO, ROOT, bytes("shared"), 02777, out);
        assertThat(out.mode).as("mkdir(2) takes no set-id bits").isEqualTo(0040777);
        int shared = out.ino;
        Inode held = fs.engine.inodes().get(shared);
        held.mode |= 02000; // chmod
        fs.mkdir.mkdir(user, shared, bytes("sub"), 0777, out);
        assertThat(out.mode).isEqualTo(0042750);
        assertThat(out.gid).isZero();
        fs.create.create(user, shared, bytes("file"), 0666, out);
        assertThat(out.mode).isEqualTo(0100640);
        assertThat(out.uid).isEqualTo(1000);
        assertThat(out.gid).isZero();
        fs.engine.inodes().put(held);
        assertThat(out.crtime).isPositive();
    }

    @Test
    void deviceNumbersOfBothEncodings() {
        fs.mknod.mknod(WHO, ROOT, bytes("small"), 0060600, 8, 1, out);
        fs.mknod.mknod(WHO, ROOT, bytes("large"), 0020600, 300, 70_000, out);
        assertThat(fs.stat(ROOT, "small").rdevMajor).isEqualTo(8);
        assertThat(fs.stat(ROOT, "small").rdevMinor).isEqualTo(1);
        assertThat(fs.stat(ROOT, "large").rdevMajor).isEqualTo(300);
        assertThat(fs.stat(ROOT, "large").rdevMinor).isEqualTo(70_000);
        fails(Errno.EINVAL, () -> fs.mknod.mknod(WHO, ROOT, bytes("x"), 0020600, 5000, 0, out));
        fails(Errno.EPERM, () -> fs.mknod.mknod(WHO, ROOT, bytes("x"), 0040600, 0, 0, out));
    }

    @Test
    void noSpaceForTheNameLeavesNothingBehind() {
        int created = 0;
        try {
            while (true) {
                fs.create(ROOT, "n".repeat(240) + created);
                created++;
            }
        } catch (Ext4Exception e) {
            assertThat(e.errno()).isEqualTo(Errno.ENOSPC);
        }
        assertThat(created).isGreaterThan(3000);
        fails(Errno.ENOSPC, () -> fs.mkdir(ROOT, "one more"));
        assertThat(fs.orphans.inos).isEmpty();
    }

    @Test
    void readdirplusNamesNoFileThatTookTheNumberOfARemovedOne() {
        Map<String, Integer> mode = new HashMap<>();
        Set<String> there = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            there.add("old" + i);
            fs.create.create(WHO, ROOT, bytes("old" + i), 0600, out);
            fs.engine.forget(out.ino, 1);
        }
        // whoever takes an entry removes all other old ones and makes new ones, which get their numbers
        fs.readdir.readdirplus(ROOT, 0, (cookie, attributes, name, offset, length) -> {
            String taken = new String(name, offset, length, StandardCharsets.UTF_8);
            mode.put(taken, attributes.nlink == 0 ? 0 : attributes.mode & 0777);
            if (taken.startsWith("old") && mode.size() < 6) {
                for (int i = 0; i < 300; i++) {
                    if (!taken.equals("old" + i) && there.remove("old" + i)) {
                        fs.unlink.unlink(WHO, ROOT, bytes("old" + i));
                        fs.create.create(WHO, ROOT, bytes("new" + i), 0644, out);
                        fs.engine.forget(out.ino, 1);
                    }
                }
            }
            return true;
        });
        assertThat(mode.keySet()).anyMatch(name -> name.startsWith("new"));
        mode.forEach((name, bits) -> {
            if (name.startsWith("old")) {
                assertThat(bits).as(name).isIn(0600, 0);
            } else if (name.startsWith("new")) {
                assertThat(bits).as(name).isEqualTo(0644);
            }
        });
    }

    @Test
    void readdirplusPinsWhatWasTaken() {
        for (int i = 0; i < 50; i++) {
            fs.create(ROOT, "file" + i);
        }
        long before = fs.engine.pins().size();
        int[] room = {40};
        fs.readdir.readdirplus(ROOT, 0, (cookie, attributes, name, offset, length) -> room[0]-- > 0);
        assertThat(fs.engine.pins().size() - before).isEqualTo(38);
    }
}
