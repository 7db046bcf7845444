// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {
    @TempDir
    private Path directory;

    /** DIR stands for an empty directory, FILE for a file. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dance | 2 | ext4: unmatched argument at index 0: 'dance'; see ext4 help",
                "mount | 2 | ext4: mount: missing required parameter: 'IMAGE'; see ext4 help mount",
                "mount FILE | 2 | ext4: mount: missing required parameter: 'MOUNTPOINT'; see ext4 help mount",
                "mount FILE DIR -o | 2 | ext4: mount: missing required parameter for option '-o' (OPTIONS);"
                        + " see ext4 help mount",
                "mount -z FILE DIR | 2 | ext4: mount: unknown option: '-z'; see ext4 help mount",
                "mount FILE DIR more | 2 | ext4: mount: unmatched argument at index 3: 'more'; see ext4 help mount",
                "mount DIR/no DIR | 1 | ext4: mount: DIR/no: No such file or directory",
                "mount DIR DIR | 1 | ext4: mount: DIR: Is a directory",
                "mount FILE DIR/no | 1 | ext4: mount: DIR/no: mount point does not exist",
                "mount FILE FILE | 1 | ext4: mount: FILE: mount point is not a directory",
                "mount -o remount,ro DIR | 1 | ext4: mount: DIR: not mounted by this command, or by another user",
                "mount -o ro,remount FILE DIR | 1 | ext4: mount: DIR: not mounted by this command, or by another user",
                "umount DIR | 1 | ext4: umount: DIR: not mounted by this command, or by another user",
                "umount DIR/no/no | 1 | ext4: umount: DIR/no/no: No such file or directory",
                "umount | 2 | ext4: umount: missing required parameter: 'MOUNTPOINT'; see ext4 help umount",
                "strategy DIR | 1 | ext4: strategy: DIR: not mounted by this command, or by another user",
                "strategy DIR sharded | 1 | ext4: strategy: DIR: not mounted by this command, or by another user",
                "replace DIR wheel | 1 | ext4: replace: 'wheel' is no part; the parts are strategy, journal, core, transport",
                "replace DIR | 2 | ext4: replace: missing required parameter: 'PART'; see ext4 help replace",
                "replace DIR core | 1 | ext4: replace: DIR: not mounted by this command, or by another user",
                "status DIR | 1 | ext4: status: DIR: not mounted by this command, or by another user",
                "mkfs FILE -E stride=4 | 1 | ext4: mkfs: 'stride=4' is not root_owner or root_owner=UID:GID",
                "demo --files 0 | 1 | ext4: demo: --files takes 1 to 100000",
            })
    void whatIsWrongIsOneClearLine(String words, int status, String line) throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        Path empty = Files.createDirectory(directory.resolve("dir"));
        Run run = Run.ext4(words.replace("FILE", file.toString())
                .replace("DIR", empty.toString())
                .split(" "));
        assertThat(run.err()).isEqualTo(line.replace("FILE", file.toString()).replace("DIR", empty.toString()) + "\n");
        assertThat(run.out()).isEmpty();
        assertThat(run.status()).isEqualTo(status);
        assertThat(file).isEmptyFile();
    }

    @Test
    void helpNamesEveryCommand() {
        Run run = Run.ext4("--help");
        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("mount", "umount", "strategy", "replace", "status", "demo", "help");
        assertThat(Run.ext4("help", "mount").out()).contains("IMAGE", "MOUNTPOINT", "orphan=NAME", "errors=");
        assertThat(Run.ext4("mount", "--help").status()).isZero();
    }

    @Test
    void versionNamesTheJavaItRunsOn() {
        assertThat(Run.ext4("--version").out())
                .startsWith("ext4 ")
                .contains(Runtime.version().toString());
    }

    @Test
    void withoutACommandItExplainsItself() {
        Run run = Run.ext4();
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).startsWith("Usage: ext4");
    }
}
