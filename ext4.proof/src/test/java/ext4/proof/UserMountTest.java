// SPDX-License-Identifier: Apache-2.0
package ext4.proof;

import static org.assertj.core.api.Assertions.assertThat;

import ext4.testkit.oracle.E2fsprogs;
import ext4.testkit.oracle.Oracles;
import ext4.testkit.oracle.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users without root mount through fusermount3; where they can't they are told in one line what to do. */
class UserMountTest {
    @TempDir
    Path temp;

    private PrivateMounts mounts;

    @BeforeAll
    static void judges() {
        Ext4.needMounts();
        for (String tool : new String[] {"fusermount3", "unshare", "setpriv"}) {
            Oracles.needTool(tool);
        }
    }

    @BeforeEach
    void install() throws IOException {
        mounts = new PrivateMounts(temp);
        mounts.installCommand();
        Path image = temp.resolve("user/disk.img");
        E2fsprogs.mke2fs(image, 64L << 20, "-O", "orphan_file", "-E", "root_owner=65534:65534");
        Files.createDirectory(temp.resolve("user/mnt"));
        Tool.run("chown", "65534:65534", image, temp.resolve("user/mnt")).ok();
    }

    @ParameterizedTest
    @CsvSource({"$T/dist/ext4 umount, 0", "fusermount3 -u, 1", "umount, 1"})
    void aUserMountsSwitchesAndUnmounts(String unmount, int waits) {
        String output = mounts.run("""
                fuse_device 666
                user "$T/dist/ext4" mount -o orphan=global "$T/user/disk.img" "$T/user/mnt"
                M="$T/user/mnt"
                grep " $M " /proc/self/mounts
                ls "$M" 2>/dev/null && echo "root was let in" || true
                user sh -euc "mkdir $M/d; echo hello >$M/d/f; chmod 4755 $M/d/f; exec 3<>$M/open; rm $M/open
                    '$T/dist/ext4' strategy $M sharded; echo still there >&3; cat $M/d/f"
                user "$T/dist/ext4" status "$M" | grep '^orphan strategy:'
                server=$(pgrep -f "mount -f.*-- $T/user/disk.img")
                user %s "$M"
                while kill -0 "$server" 2>/dev/null; do [ %d = 1 ]; done
                ! grep " $M " /proc/self/mounts
                """.formatted(unmount, waits)).ok().output();
        assertThat(output)
                .contains("/user/disk.img " + temp + "/user/mnt fuse.ext4j rw,nosuid,nodev,", "user_id=65534,")
                .contains("global -> sharded: 1 orphans carried", "hello", "orphan strategy: sharded")
                .doesNotContain("root was let in");
        Path image = temp.resolve("user/disk.img");
        E2fsprogs.assertClean(image, "after " + unmount);
        assertThat(E2fsprogs.debugfs(image, false, "stat /d/f")).contains("User: 65534", "Mode:  04755");
        assertThat(Tool.run("dumpe2fs", "-h", image).ok().output()).doesNotContain("needs_recovery");
    }

    @Test
    void othersComeInWhereTheHostAllowsIt() {
        String output = mounts.run("""
                fuse_device 666
                echo user_allow_other >"$T/fuse.conf"
                over /etc/fuse.conf "$T/fuse.conf"
                user "$T/dist/ext4" mount -o ro,allow_other "$T/user/disk.img" "$T/user/mnt"
                ls "$T/user/mnt"
                user "$T/dist/ext4" umount "$T/user/mnt"
                """).ok().output();
        assertThat(output).contains("lost+found");
        E2fsprogs.assertClean(temp.resolve("user/disk.img"), "after a mount with allow_other");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "fuse_device 600, rw, $T/user/mnt, /dev/fuse: permission denied; a user can mount only if",
                "fuse_device 666; echo >$T/c; over /etc/fuse.conf $T/c, allow_other, $T/user/mnt,"
                        + " only allowed if 'user_allow_other' is set in /etc/fuse.conf",
                "fuse_device 666; over $(command -v fusermount3) /dev/null, rw, $T/user/mnt,"
                        + " no fusermount3 that could; install the package fuse3",
                "fuse_device 666, rw, $T/dist, mount point: no write access",
                "fuse_device 666; chown root $T/user/disk.img; chmod 600 $T/user/disk.img, rw, $T/user/mnt,"
                        + " disk.img: permission denied",
            })
    void whoCannotMountIsToldWhy(String host, String options, String directory, String why) {
        Tool.Result result = mounts.run("""
                %s
                status=0
                user "$T/dist/ext4" mount -o %s "$T/user/disk.img" %s || status=$?
                ! grep fuse.ext4j /proc/self/mounts | grep "$T"
                ! pgrep -f "mount -f.*-- $T/user/disk.img"
                exit $status
                """.formatted(host, options, directory));
        assertThat(result.exit()).as(result.output()).isEqualTo(1);
        assertThat(result.output().strip().lines()).as(result.output()).hasSize(1);
        assertThat(result.output()).startsWith("ext4: mount: ").contains(why);
        E2fsprogs.assertClean(temp.resolve("user/disk.img"), "after a refused mount");
    }

    @Test
    void theDemoUsesARealMount() throws IOException {
        String output = mounts.run("""
                fuse_device 666
                user "$T/dist/ext4" demo --files 40 --size 64M
                """).ok().output();
        assertThat(output).contains("no call failed, the image is clean").doesNotContain("in-process");
        assertThat(Files.exists(temp.resolve("user/ext4j")))
                .as("served over its own socket")
                .isTrue();
    }
}
