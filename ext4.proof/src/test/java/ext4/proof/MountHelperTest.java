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

/** mount(8), umount(8) and fstab with the helpers of sbin. They look in /sbin alone, so a test has a /sbin of its own. */
class MountHelperTest {
    /** A folder in the place of /sbin with everything that is there, and the helpers. */
    private static final String INSTALL = """
            sbin=$(readlink -f /sbin)
            mkdir "$T/real-sbin" "$T/sbin"
            mount --bind "$sbin" "$T/real-sbin"
            ln -s "$T/real-sbin/"* "$T/sbin/"
            ln -sfn "$T/dist/sbin/mount.fuse.ext4j" "$T/dist/sbin/umount.fuse.ext4j" "$T/sbin/"
            mount --bind "$T/sbin" "$sbin"
            """;

    @TempDir
    Path temp;

    private PrivateMounts mounts;
    private Path image;

    @BeforeAll
    static void judges() {
        Ext4.needMounts();
        for (String tool : new String[] {"unshare", "setpriv", "fusermount3", "pgrep"}) {
            Oracles.needTool(tool);
        }
    }

    @BeforeEach
    void install() throws IOException {
        mounts = new PrivateMounts(temp);
        mounts.installCommand();
        image = temp.resolve("disk.img");
        E2fsprogs.mke2fs(image, 64L << 20, "-O", "orphan_file");
        Files.createDirectory(temp.resolve("mnt"));
    }

    private String run(String script) {
        return mounts.run(INSTALL + script).ok().output();
    }

    @Test
    void mountAndUmountTakeTheTypeAndOptions() {
        String output = run("""
                mount -v -t fuse.ext4j -o orphan=global,noatime,nosuid,allow_other "$T/disk.img" "$T/mnt"
                grep " $T/mnt " /proc/self/mounts
                "$T/dist/ext4" status "$T/mnt" | grep '^orphan strategy'
                echo hello >"$T/mnt/file"
                sh -c 'exec 3<"$T/mnt/file"; umount "$T/mnt" && exit 1; echo "busy: $?"'
                umount "$T/mnt"
                ! pgrep -f "mount -f.*-- $T/disk.img"
                ! grep "$T/mnt" /run/mount/utab
                e2fsck -fn "$T/disk.img"
                """);
        assertThat(output)
                .contains("mount.fuse.ext4j: " + image + " mounted on " + temp + "/mnt.")
                .contains(image + " " + temp + "/mnt fuse.ext4j rw,nosuid,noatime,")
                .contains("orphan strategy: global", "umount.fuse.ext4j: " + temp + "/mnt: target is busy", "busy: 32");
        E2fsprogs.assertClean(image, "after umount");
        assertThat(E2fsprogs.debugfs(image, false, "cat /file")).contains("hello");
    }

    @Test
    void fstabMounts() {
        String output = run("""
                mkdir "$T/other"
                cp "$T/disk.img" "$T/other.img"
                cat >"$T/fstab" <<X
                $T/disk.img $T/mnt fuse.ext4j defaults,orphan=sharded,nofail,_netdev,x-systemd.requires=/,comment=x 0 0
                $T/other.img $T/other fuse.ext4j noauto,users,ro,errors=remount-ro,X-own 0 2
                X
                mount -a -T "$T/fstab"
                mount -a -T "$T/fstab"
                ! grep " $T/other " /proc/self/mounts
                mount -T "$T/fstab" "$T/other"
                grep fuse.ext4j /proc/self/mounts
                "$T/dist/ext4" status "$T/mnt" | grep '^orphan strategy'
                echo hello >"$T/mnt/file"
                umount "$T/mnt" "$T/other"
                ! grep fuse.ext4j /proc/self/mounts | grep "$T"
                e2fsck -fn "$T/disk.img"
                e2fsck -fn "$T/other.img"
                """);
        assertThat(output)
                .contains(temp + "/mnt fuse.ext4j rw,relatime,")
                .contains(temp + "/other fuse.ext4j ro,nosuid,nodev,noexec,relatime,")
                .contains("orphan strategy: sharded");
    }

    @Test
    void aUserMountsWhatFstabLetsHim() throws IOException {
        Files.move(image, temp.resolve("user/disk.img"));
        Tool.run("chown", "-R", "65534:65534", temp.resolve("user")).ok();
        String output = run("""
                fuse_device 666
                echo "$T/user/disk.img $T/user/mnt fuse.ext4j noauto,user,ro 0 0" >"$T/fstab"
                over /etc/fstab "$T/fstab"
                user mkdir "$T/user/mnt"
                user mount "$T/user/mnt"
                grep fuse.ext4j /proc/self/mounts
                user umount "$T/user/mnt"
                ! pgrep -f "mount -f.*-- $T/user/disk.img"
                """);
        assertThat(output).contains("ro,nosuid,nodev,noexec,relatime,user_id=65534,");
        E2fsprogs.assertClean(temp.resolve("user/disk.img"), "after a user's mount");
    }

    @Test
    void remountGoesBothWays() {
        String output = run("""
                mount -t fuse.ext4j -o orphan=global,noatime,nosuid,allow_other "$T/disk.img" "$T/mnt"
                echo one >"$T/mnt/one"
                mount -o remount,ro "$T/mnt"
                grep " $T/mnt " /proc/self/mounts
                ! echo two >"$T/mnt/two"
                cp "$T/disk.img" "$T/copy.img"
                e2fsck -fn "$T/copy.img"
                mount -o remount,rw "$T/mnt"
                grep " $T/mnt " /proc/self/mounts
                echo two >"$T/mnt/two"
                mount -o remount,commit=7 "$T/mnt" || echo "refused: $?"
                umount "$T/mnt"
                """);
        assertThat(output)
                .contains("/mnt fuse.ext4j ro,nosuid,noatime,", "/mnt fuse.ext4j rw,nosuid,noatime,")
                .contains("two: Read-only file system", "a remount changes nothing but ro and rw", "refused: 32");
        E2fsprogs.assertClean(image, "after umount");
        assertThat(E2fsprogs.debugfs(image, false, "ls")).contains("one", "two");
    }

    @Test
    void sloppyAndFakeAreObeyed() {
        String output = run("""
                mount -f -t fuse.ext4j "$T/disk.img" "$T/mnt"
                ! grep " $T/mnt " /proc/self/mounts
                mount -s -t fuse.ext4j -o nonsense=1,ro "$T/disk.img" "$T/mnt"
                grep " $T/mnt " /proc/self/mounts
                umount -l "$T/mnt"
                while pgrep -f "mount -f.*-- $T/disk.img" >/dev/null; do :; done
                """);
        assertThat(output).contains(" fuse.ext4j ro,");
        E2fsprogs.assertClean(image, "after a lazy umount");
    }

    @ParameterizedTest
    @CsvSource({
        "'-o nonsense', $T/disk.img, 32, unknown mount option 'nonsense'",
        "'-o commit=x', $T/disk.img, 32, bad mount option 'commit=x'",
        "'-o orphan=fast', $T/disk.img, 32, unknown orphan strategy 'fast'",
        "'', $T/none.img, 32, none.img: No such file or directory",
        "'-N 1', $T/disk.img, 32, is not supported",
        "'-q', $T/disk.img, 1, unknown option",
    })
    void whatItRefusesHasAReasonAndAnExitStatus(String options, String spec, int status, String why) {
        String script = INSTALL + "/sbin/mount.fuse.ext4j " + spec + " \"$T/mnt\" -t fuse.ext4j " + options;
        Tool.Result result = mounts.run(script);
        assertThat(result.exit()).as(result.output()).isEqualTo(status);
        assertThat(result.output().strip().lines()).as(result.output()).hasSize(1);
        assertThat(result.output()).startsWith("mount.fuse.ext4j: ").contains(why);
        E2fsprogs.assertClean(image, "after a refusal");
    }
}
