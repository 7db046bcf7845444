// SPDX-License-Identifier: Apache-2.0
package ext4.bench.nullfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.AttributeChange;
import ext4.api.fs.Attributes;
import ext4.api.fs.Credentials;
import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NullFileSystemTest {
    private static final int ROOT = 2;

    private final NullFileSystem fs = new NullFileSystem();
    private final Attributes a = new Attributes();

    @Test
    void namesComeAndGo() {
        fs.mkdir(Credentials.ROOT, ROOT, bytes("d"), 0755, a);
        int directory = a.ino;
        fs.create(Credentials.ROOT, directory, bytes("f"), 0644, a);
        int file = a.ino;
        fs.lookup(directory, bytes("f"), a);
        assertThat(a.ino).isEqualTo(file);
        assertErrno(Errno.EEXIST, () -> fs.create(Credentials.ROOT, directory, bytes("f"), 0644, a));
        assertErrno(Errno.ENOTEMPTY, () -> fs.rmdir(Credentials.ROOT, ROOT, bytes("d")));
        assertErrno(Errno.EISDIR, () -> fs.unlink(Credentials.ROOT, ROOT, bytes("d")));
        fs.unlink(Credentials.ROOT, directory, bytes("f"));
        assertErrno(Errno.ENOENT, () -> fs.lookup(directory, bytes("f"), a));
        fs.rmdir(Credentials.ROOT, ROOT, bytes("d"));
        assertErrno(Errno.ENOENT, () -> fs.lookup(ROOT, bytes("d"), a));
    }

    @Test
    void aListingGoesOnWhileWhatItGaveIsRemoved() {
        for (int i = 0; i < 100; i++) {
            fs.create(Credentials.ROOT, ROOT, bytes("f" + i), 0644, a);
        }
        List<String> seen = new ArrayList<>();
        long[] cookie = {0};
        int before;
        do {
            before = seen.size();
            int room = before + 7;
            fs.readdirplus(ROOT, cookie[0], (next, attributes, name, offset, length) -> {
                if (seen.size() == room) {
                    return false;
                }
                seen.add(new String(name, offset, length, StandardCharsets.UTF_8));
                cookie[0] = next;
                return true;
            });
            seen.subList(before, seen.size()).stream()
                    .filter(name -> name.startsWith("f"))
                    .forEach(name -> fs.unlink(Credentials.ROOT, ROOT, bytes(name)));
        } while (seen.size() > before);
        assertThat(seen).hasSize(102).doesNotHaveDuplicates().contains(".", "..", "f0", "f99");
        assertThat(fs.statfs().files() - fs.statfs().filesFree()).isEqualTo(1);
    }

    @Test
    void anOwnerIsEchoed() {
        fs.create(Credentials.ROOT, ROOT, bytes("f"), 0644, a);
        AttributeChange change = new AttributeChange();
        change.valid = AttributeChange.UID;
        change.uid = 1000;
        fs.setattr(Credentials.ROOT, a.ino, change, a);
        assertThat(a.uid).isEqualTo(1000);
    }

    private static void assertErrno(Errno errno, Runnable call) {
        assertThatThrownBy(call::run).isSameAs(ErrnoException.of(errno));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
