// SPDX-License-Identifier: Apache-2.0
package ext4.core.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.FileSystem;
import ext4.core.mount.TestMount;
import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.LoopMount;
import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Extended attributes written here and read by getfattr, and the reverse. */
class XattrOracleTest {
    private static final int ROOT = TestFileSystem.ROOT;
    private static final Credentials WHO = Credentials.ROOT;
    /** user::rw-, user:1000:r--, group::r--, mask::rw-, other::---, as setxattr(2) takes it. */
    private static final byte[] ACL = HexFormat.of()
            .parseHex("02000000" + "01000600ffffffff" + "02000400e8030000" + "04000400ffffffff" + "10000600ffffffff"
                    + "20000000ffffffff");

    @TempDir
    Path folder;

    private Path image;
    private final Attributes out = new Attributes();

    @BeforeEach
    void makeImage() {
        Oracles.needE2fsprogs();
        image = folder.resolve("image");
    }

    private void mke2fs(String options) {
        E2fsprogs.mke2fs(image, 16L << 20, (options + " -O ^has_journal").split(" "));
    }

    private static void fails(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        Ext4Exception.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest(name = "mke2fs {0}")
    @ValueSource(strings = {"-b 1024", "-b 4096 -I 128", "-b 4096 -I 1024", "-b 1024 -I 128 -O ^metadata_csum"})
    void randomAttributesAgreeWithAMapAndWithGetfattr(String options) throws Exception {
        long seed = Long.getLong("ext4.test.seed", System.nanoTime());
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        mke2fs(options);
        Map<String, Map<String, byte[]>> model = new TreeMap<>();
        try (TestFileSystem fs = new TestFileSystem(image)) {
            Map<String, Integer> files = new HashMap<>();
            for (int i = 0; i < 6; i++) {
                files.put("f" + i, fs.create(ROOT, "f" + i));
                model.put("f" + i, new TreeMap<>());
            }
            for (int step = 0; step < 3000; step++) {
                String file = "f" + random.nextInt(6);
                change(fs, random, files.get(file), model.get(file));
            }
            for (String file : model.keySet()) {
                checkHere(fs, files.get(file), model.get(file));
            }
        }
        E2fsprogs.assertClean(image, "seed " + seed);
        Oracles.needKernelMounts();
        Oracles.needTool("getfattr");
        try (LoopMount mount = new LoopMount(image, "ro")) {
            for (String file : model.keySet()) {
                assertThat(getfattr(mount.root().resolve(file))).isEqualTo(hex(model.get(file)));
            }
        }
    }

    private static void change(TestFileSystem fs, Random random, int ino, Map<String, byte[]> model) {
        String space = new String[] {"user.", "trusted.", "security."}[random.nextInt(3)];
        String name = space + "n".repeat(1 + random.nextInt(12));
        if (random.nextInt(4) == 0) {
            if (model.remove(name) == null) {
                fails(Errno.ENODATA, () -> fs.setXattr.remove(WHO, ino, bytes(name)));
            } else {
                fs.setXattr.remove(WHO, ino, bytes(name));
            }
            return;
        }
        byte[] value = new byte[random.nextInt(random.nextInt(5) == 0 ? 700 : 50)];
        random.nextBytes(value);
        try {
            fs.setXattr.set(WHO, ino, bytes(name), value, 0);
            model.put(name, value);
        } catch (Ext4Exception e) {
            assertThat(e.errno()).isEqualTo(Errno.ENOSPC);
        }
    }

    private static void checkHere(TestFileSystem fs, int ino, Map<String, byte[]> model) {
        assertThat(fs.getXattr.list(ino).stream().map(name -> new String(name, StandardCharsets.ISO_8859_1)))
                .containsExactlyInAnyOrderElementsOf(model.keySet());
        model.forEach((name, value) ->
                assertThat(fs.getXattr.get(ino, bytes(name))).as(name).isEqualTo(value));
    }

    private static Map<String, String> hex(Map<String, byte[]> values) {
        Map<String, String> text = new TreeMap<>();
        values.forEach((name, value) ->
                text.put(name, value.length == 0 ? "" : "0x" + HexFormat.of().formatHex(value)));
        return text;
    }

    private static Map<String, String> getfattr(Path path) {
        Map<String, String> values = new TreeMap<>();
        String output = Tool.run("getfattr", "-d", "-m", "-", "-e", "hex", "--absolute-names", path)
                .ok()
                .output();
        for (String line : output.lines().toList()) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                int equals = line.indexOf('=');
                String value = equals < 0 ? "" : line.substring(equals + 1);
                values.put(equals < 0 ? line : line.substring(0, equals), value.equals("0x") ? "" : value);
            }
        }
        return values;
    }

    @Test
    void aBlockThatTheKernelLetsFilesShareIsCopiedBeforeItChanges() throws Exception {
        Oracles.needKernelMounts();
        Oracles.needTool("setfattr");
        mke2fs("-b 1024 -I 128");
        try (LoopMount mount = new LoopMount(image, "rw")) {
            for (String name : new String[] {"a", "b", "c"}) {
                Path file = Files.createFile(mount.root().resolve(name));
                Tool.run("setfattr", "-n", "user.same", "-v", "v".repeat(300), file)
                        .ok();
            }
        }
        byte[] same = bytes("v".repeat(300));
        try (TestFileSystem fs = new TestFileSystem(image)) {
            int a = fs.stat(ROOT, "a").ino;
            int b = fs.stat(ROOT, "b").ino;
            int c = fs.stat(ROOT, "c").ino;
            assertThat(fs.getXattr.get(a, bytes("user.same"))).isEqualTo(same);
            assertThat(block(fs, a)).isEqualTo(block(fs, b)).isEqualTo(block(fs, c));
            fs.setXattr.set(WHO, a, bytes("user.other"), bytes("x"), 0);
            assertThat(block(fs, a)).isNotEqualTo(block(fs, b));
            assertThat(fs.getXattr.list(b)).hasSize(1);
            fs.unlink(ROOT, "b");
            fs.runEvictions();
            assertThat(fs.getXattr.get(c, bytes("user.same"))).isEqualTo(same);
            fs.setXattr.remove(WHO, c, bytes("user.same"));
            assertThat(block(fs, c)).isZero();
        }
        E2fsprogs.assertClean(image, "afterwards");
    }

    private static long block(TestFileSystem fs, int ino) {
        var inode = fs.engine.inodes().get(ino);
        fs.engine.inodes().put(inode);
        return inode.xattrBlock;
    }

    @Test
    void errorsAreThoseOfTheManPage() throws Exception {
        mke2fs("-b 1024");
        try (TestFileSystem fs = new TestFileSystem(image)) {
            int file = fs.create(ROOT, "file");
            byte[] name = bytes("user.a");
            fails(Errno.ENODATA, () -> fs.getXattr.get(file, name));
            fails(Errno.ENODATA, () -> fs.setXattr.set(WHO, file, name, name, FileSystem.XATTR_REPLACE));
            fs.setXattr.set(WHO, file, name, name, FileSystem.XATTR_CREATE);
            fails(Errno.EEXIST, () -> fs.setXattr.set(WHO, file, name, name, FileSystem.XATTR_CREATE));
            fails(Errno.ENOSPC, () -> fs.setXattr.set(WHO, file, name, new byte[1024], 0));
            fails(Errno.E2BIG, () -> fs.setXattr.set(WHO, file, name, new byte[65537], 0));
            fails(Errno.ERANGE, () -> fs.setXattr.set(WHO, file, bytes("user." + "n".repeat(251)), name, 0));
            fs.setXattr.set(WHO, file, bytes("user." + "n".repeat(250)), name, 0);
            fails(Errno.EOPNOTSUPP, () -> fs.setXattr.set(WHO, file, bytes("system.x"), name, 0));
            fails(Errno.EOPNOTSUPP, () -> fs.getXattr.get(file, bytes("nothing")));
            fails(Errno.EINVAL, () -> fs.setXattr.set(WHO, file, bytes("user."), name, 0));
            fs.symlink.symlink(WHO, ROOT, bytes("link"), name, out);
            int link = out.ino;
            fails(Errno.EPERM, () -> fs.setXattr.set(WHO, link, name, name, 0));
            fails(Errno.ENODATA, () -> fs.getXattr.get(link, name));
            fails(Errno.EINVAL, () -> fs.setXattr.set(WHO, file, bytes("system.posix_acl_access"), new byte[9], 0));
            fails(Errno.EACCES, () -> fs.setXattr.set(WHO, file, bytes("system.posix_acl_default"), ACL, 0));
        }
        E2fsprogs.assertClean(image, "afterwards");
    }

    @Test
    void anAclSetsTheModeAndADefaultOneIsInherited() throws Exception {
        mke2fs("-b 1024");
        byte[] access = bytes("system.posix_acl_access");
        byte[] standard = bytes("system.posix_acl_default");
        try (TestFileSystem fs = new TestFileSystem(image)) {
            int file = fs.create(ROOT, "file");
            fs.setXattr.set(WHO, file, access, ACL, 0);
            assertThat(fs.stat(ROOT, "file").mode).isEqualTo(0100660);
            assertThat(fs.getXattr.get(file, access)).isEqualTo(ACL);
            int directory = fs.mkdir(ROOT, "directory");
            fs.setXattr.set(WHO, directory, standard, ACL, 0);
            fs.create.create(new Credentials(0, 0, 077), directory, bytes("inherits"), 0644, out);
            assertThat(out.mode).isEqualTo(0100640);
            byte[] expected = ACL.clone();
            expected[30] = 4;
            assertThat(fs.getXattr.get(out.ino, access)).isEqualTo(expected);
            int sub = fs.mkdir(directory, "sub");
            assertThat(fs.getXattr.get(sub, standard)).isEqualTo(ACL);
            fs.setXattr.remove(WHO, file, access);
            fails(Errno.ENODATA, () -> fs.getXattr.get(file, access));
            fs.setXattr.remove(WHO, file, access);
        }
        E2fsprogs.assertClean(image, "afterwards");
        Oracles.needKernelMounts();
        Oracles.needTool("getfattr");
        try (LoopMount mount = new LoopMount(image, "ro")) {
            Map<String, String> read = getfattr(mount.root().resolve("directory"));
            assertThat(read)
                    .containsEntry(
                            "system.posix_acl_default", "0x" + HexFormat.of().formatHex(ACL));
            assertThat(Files.getAttribute(mount.root().resolve("directory/inherits"), "unix:mode"))
                    .isEqualTo(0100640);
        }
    }

    @Test
    void chmodLetsTheAccessAclFollow() {
        E2fsprogs.mke2fs(image, 16L << 20, "-b", "1024");
        byte[] access = bytes("system.posix_acl_access");
        try (TestMount mount = new TestMount(image)) {
            int file = mount.create(ROOT, "file");
            mount.fs.setxattr(WHO, file, access, ACL, 0);
            AttributeChange change = new AttributeChange();
            change.valid = AttributeChange.MODE;
            change.mode = 0604;
            mount.fs.setattr(WHO, file, change, out);
            byte[] expected = ACL.clone();
            expected[30] = 0;
            expected[38] = 4;
            assertThat(mount.fs.getxattr(file, access)).isEqualTo(expected);
        }
        E2fsprogs.assertClean(image, "afterwards");
    }
}
