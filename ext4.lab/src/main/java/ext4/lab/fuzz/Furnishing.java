// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.api.fs.Attributes;
import ext4.api.fs.CoreFileSystem;
import ext4.api.fs.Credentials;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Fills a new filesystem with something of every kind. */
final class Furnishing {
    private static final int ROOT = 2;
    private static final Credentials WHO = Credentials.ROOT;
    /** rwx for the owner, rw- for user 1000, r-x for the group, mask rwx, r-x for others. */
    private static final String ACL =
            "02000000 01000700ffffffff 02000600e8030000 04000500ffffffff 10000700ffffffff" + " 20000500ffffffff";

    private final CoreFileSystem fs;
    private final Attributes out = new Attributes();

    Furnishing(CoreFileSystem fs) {
        this.fs = fs;
    }

    void furnish() {
        int block = (int) fs.statfs().blockSize();
        names();
        fragmented(block);
        int sparse = file(ROOT, "sparse", 100);
        write(sparse, 1L << 33, 700);
        int unwritten = file(ROOT, "unwritten", 100);
        fs.fallocate(WHO, unwritten, 0, 0, 40L * block);
        attributes();
        fs.symlink(WHO, ROOT, name("fast"), name("dir/file3"), out);
        fs.symlink(WHO, ROOT, name("slow"), name("x".repeat(100)), out);
        fs.mknod(WHO, ROOT, name("fifo"), 0010644, 0, 0, out);
        fs.mknod(WHO, ROOT, name("device"), 0020644, 300, 70_000, out);
        int a = dir(ROOT, "a");
        int c = dir(dir(a, "b"), "c");
        file(c, "leaf", 5000);
    }

    /** A directory with one level of index, and one with two where blocks are small. */
    private void names() {
        int dir = dir(ROOT, "dir");
        for (int i = 0; i < 60; i++) {
            file(dir, "file" + i + "-with-a-name-of-some-length-for-the-index", i * 3);
        }
        int deep = dir(ROOT, "deep");
        int one = file(deep, "one", 10);
        for (int i = 0; i < 420; i++) {
            fs.link(WHO, one, deep, name("n" + i + "y".repeat(210)), out);
        }
    }

    private void fragmented(int block) {
        int ino = file(ROOT, "fragmented", 0);
        for (int i = 0; i < 380; i++) {
            write(ino, 2L * i * block, block);
        }
    }

    private void attributes() {
        int ino = file(ROOT, "attributes", 2000);
        fs.setxattr(WHO, ino, name("user.short"), new byte[12], 0);
        fs.setxattr(WHO, ino, name("user.other"), new byte[5], 0);
        fs.setxattr(WHO, ino, name("user.long"), new byte[400], 0);
        fs.setxattr(WHO, ino, name("trusted.more"), new byte[200], 0);
        fs.setxattr(WHO, ino, name("user.empty"), new byte[0], 0);
        int acl = dir(ROOT, "acl");
        byte[] bytes = HexFormat.of().parseHex(ACL.replace(" ", ""));
        fs.setxattr(WHO, acl, name("system.posix_acl_access"), bytes, 0);
        fs.setxattr(WHO, acl, name("system.posix_acl_default"), bytes, 0);
        file(acl, "inherits", 10);
    }

    /**
     * Unlinked files that are still pinned, and blocks that were freed after they were logged.
     *
     * @param extents whether files can get new blocks at all
     */
    void leaveOrphans(boolean extents) {
        if (extents) {
            revoke();
        }
        for (int i = 0; i < 8; i++) {
            String name = "orphan" + i;
            node(ROOT, name);
            if (extents && i > 0) {
                write(out.ino, 0, 300 * i);
            }
            if (i == 3) {
                fs.syncfs();
            }
            fs.unlink(WHO, ROOT, name(name));
        }
    }

    private void revoke() {
        int gone = dir(ROOT, "gone");
        for (int i = 0; i < 12; i++) {
            node(gone, "some-entries-so-that-there-are-blocks-to-be-revoked-" + i);
            fs.forget(out.ino, 1);
        }
        fs.syncfs();
        for (int i = 0; i < 12; i++) {
            fs.unlink(WHO, gone, name("some-entries-so-that-there-are-blocks-to-be-revoked-" + i));
        }
        fs.rmdir(WHO, ROOT, name("gone"));
        fs.forget(gone, 1);
    }

    private void node(int dir, String name) {
        fs.mknod(WHO, dir, name(name), 0100644, 0, 0, out);
    }

    private int file(int dir, String name, int bytes) {
        fs.create(WHO, dir, name(name), 0644, out);
        int ino = out.ino;
        if (bytes > 0) {
            write(ino, 0, bytes);
        }
        return ino;
    }

    private int dir(int parent, String name) {
        fs.mkdir(WHO, parent, name(name), 0755, out);
        return out.ino;
    }

    private void write(int ino, long offset, int bytes) {
        byte[] content = new byte[bytes];
        Arrays.fill(content, (byte) 'c');
        fs.write(WHO, ino, offset, ByteBuffer.wrap(content), 0);
    }

    private static byte[] name(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
