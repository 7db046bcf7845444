// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpawnTest {
    private final Arena arena = Arena.ofConfined();
    private final SystemCalls calls = new SystemCalls(arena);

    @AfterEach
    void closeArena() {
        arena.close();
    }

    private Spawn.Result shell(int descriptor, String script) {
        return Spawn.run(calls, List.of("/bin/sh", "-c", script), List.of("WORD=a b", "LC_ALL=C"), descriptor);
    }

    @Test
    void tellsStatusAndOutput() {
        assertThat(shell(-1, "echo \"$WORD\"; echo other >&2; cat; exit 3"))
                .isEqualTo(new Spawn.Result(3, "a b\nother\n"));
        assertThat(shell(-1, "kill -9 $$").status()).isEqualTo(128 + 9);
        assertThat(shell(-1, "head -c 300000 /dev/zero").output().length()).isBetween(60_000, 80_000);
    }

    @Test
    void aProgramThatIsNotThereIsAnErrorNumber() {
        assertThat(Spawn.run(calls, List.of("/nonexistent/program"), List.of(), -1))
                .isEqualTo(new Spawn.Result(-Linux.ENOENT, ""));
    }

    @Test
    void handsOneDescriptorOn(@TempDir Path dir) throws IOException {
        Path file = Files.writeString(dir.resolve("file"), "handed on");
        int fd = calls.open(file.toString(), SystemCalls.O_RDWR | SystemCalls.O_CLOEXEC);
        assertThat(shell(fd, "cat <&" + Spawn.HANDED)).isEqualTo(new Spawn.Result(0, "handed on"));
        assertThat(calls.close(fd)).isZero();
    }

    @Test
    void aSocketTakesBytesOfAProgramButNoDescriptorThatWasNotSent() {
        try (UnixSocket socket = new UnixSocket(calls)) {
            assertThat(shell(socket.theirs(), "printf x >&3").status()).isZero();
            assertThat(socket.receive()).isEqualTo(-Linux.ENOENT);
        }
        try (UnixSocket socket = new UnixSocket(calls)) {
            assertThat(shell(socket.theirs(), "exit 1").status()).isEqualTo(1);
            assertThat(socket.receive()).as("the other end is gone").isEqualTo(-Linux.ENOENT);
        }
    }
}
