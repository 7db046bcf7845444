// SPDX-License-Identifier: Apache-2.0
package ext4.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {
    @TempDir
    private Path directory;

    private record Run(int status, String out, String err) {}

    private static Run run(String... words) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream toOut = new ByteArrayOutputStream();
        ByteArrayOutputStream toErr = new ByteArrayOutputStream();
        try {
            System.setOut(new PrintStream(toOut, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(toErr, true, StandardCharsets.UTF_8));
            int status = Main.run(words);
            return new Run(status, toOut.toString(StandardCharsets.UTF_8), toErr.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    /** DIR stands for an empty directory, FILE for a file. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dance | 2 | ext4: unmatched argument at index 0: 'dance'; see ext4 help",
                "mount | 2 | ext4: mount: missing required parameters: 'IMAGE', 'MOUNTPOINT'; see ext4 help mount",
                "mount FILE | 2 | ext4: mount: missing required parameter: 'MOUNTPOINT'; see ext4 help mount",
                "mount FILE DIR -o | 2 | ext4: mount: missing required parameter for option '-o' (OPTIONS);"
                        + " see ext4 help mount",
                "mount -z FILE DIR | 2 | ext4: mount: unknown option: '-z'; see ext4 help mount",
                "mount FILE DIR more | 2 | ext4: mount: unmatched argument at index 3: 'more'; see ext4 help mount",
                "mount DIR/no DIR | 1 | ext4: mount: DIR/no: No such file or directory",
                "mount DIR DIR | 1 | ext4: mount: DIR: Is a directory",
                "mount FILE DIR/no | 1 | ext4: mount: DIR/no: mount point does not exist",
                "mount FILE FILE | 1 | ext4: mount: FILE: mount point is not a directory",
                "umount DIR | 1 | ext4: umount: DIR: not mounted by this command, or by another user",
                "umount DIR/no/no | 1 | ext4: umount: DIR/no/no: No such file or directory",
                "umount | 2 | ext4: umount: missing required parameter: 'MOUNTPOINT'; see ext4 help umount",
                "strategy DIR | 1 | ext4: strategy: DIR: not mounted by this command, or by another user",
                "strategy DIR sharded | 1 | ext4: strategy: DIR: not mounted by this command, or by another user",
                "status DIR | 1 | ext4: status: DIR: not mounted by this command, or by another user",
                "demo --files 0 | 1 | ext4: demo: --files takes 1 to 100000",
            })
    void whatIsWrongIsOneClearLine(String words, int status, String line) throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        Path empty = Files.createDirectory(directory.resolve("dir"));
        Run run = run(words.replace("FILE", file.toString())
                .replace("DIR", empty.toString())
                .split(" "));
        assertThat(run.err()).isEqualTo(line.replace("FILE", file.toString()).replace("DIR", empty.toString()) + "\n");
        assertThat(run.out()).isEmpty();
        assertThat(run.status()).isEqualTo(status);
        assertThat(file).isEmptyFile();
    }

    @Test
    void helpNamesEveryCommand() {
        Run run = run("--help");
        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("mount", "umount", "strategy", "status", "demo", "help");
        assertThat(run("help", "mount").out()).contains("IMAGE", "MOUNTPOINT", "orphan=NAME", "errors=");
        assertThat(run("mount", "--help").status()).isZero();
    }

    @Test
    void versionNamesTheJavaItRunsOn() {
        assertThat(run("--version").out())
                .startsWith("ext4 ")
                .contains(Runtime.version().toString());
    }

    @Test
    void withoutACommandItExplainsItself() {
        Run run = run();
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).startsWith("Usage: ext4");
    }
}
