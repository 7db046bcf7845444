// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemCallsTest {
    private final Arena arena = Arena.ofConfined();
    private final SystemCalls calls = new SystemCalls(arena);

    @AfterEach
    void closeArena() {
        arena.close();
    }

    @Test
    void readsAndWritesAFile(@TempDir Path dir) throws IOException {
        Path file = Files.writeString(dir.resolve("file"), "hello");
        int fd = calls.open(file.toString(), SystemCalls.O_RDWR | SystemCalls.O_CLOEXEC);
        assertThat(fd).isNotNegative();
        MemorySegment buffer = arena.allocate(16);
        assertThat(calls.read(fd, buffer, 16)).isEqualTo(5);
        assertThat(buffer.getString(0)).isEqualTo("hello");
        assertThat(calls.write(fd, buffer, 5)).isEqualTo(5);
        assertThat(calls.close(fd)).isZero();
        assertThat(Files.readString(file)).isEqualTo("hellohello");
    }

    @Test
    void reportsTheErrorNumber(@TempDir Path dir) {
        assertThat(calls.open(dir.resolve("missing").toString(), SystemCalls.O_RDWR))
                .isEqualTo(-Linux.ENOENT);
        assertThat(calls.umount(dir.resolve("missing").toString(), 0)).isIn(-Linux.ENOENT, -Linux.EPERM);
        assertThat(calls.close(-1)).isNegative();
    }

    @Test
    void neverPassesACountBeyondTheBuffer() {
        assertThatThrownBy(() -> calls.read(0, arena.allocate(8), 9)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> calls.write(1, arena.allocate(8), 9)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void anEventWakesAnEpoll() {
        int quiet = calls.eventfd(0, SystemCalls.EFD_CLOEXEC);
        int ready = calls.eventfd(0, SystemCalls.EFD_CLOEXEC);
        try (Epoll epoll = new Epoll(calls, arena)) {
            assertThat(epoll.add(quiet, true, 1)).isZero();
            assertThat(epoll.add(ready, false, 1L << 40)).isZero();
            assertThat(epoll.add(ready, false, 2)).isNegative();
            MemorySegment one = arena.allocate(JAVA_LONG);
            one.set(JAVA_LONG, 0, 1);
            assertThat(calls.write(ready, one, 8)).isEqualTo(8);
            assertThat(epoll.await()).isEqualTo(1L << 40);
        }
        calls.close(quiet);
        calls.close(ready);
    }

    @Test
    void knowsWhoRunsIt() throws IOException {
        assertThat(calls.effectiveUser()).isEqualTo((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        assertThat(calls.effectiveGroup()).isNotNegative();
    }
}
