// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import ext4.sys.DescriptorSocket.Message;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages with descriptors, and the memory that is sent with them. */
class DescriptorSocketTest {
    private final Arena arena = Arena.ofConfined();
    private final SystemCalls calls = new SystemCalls(arena);

    @AfterEach
    void closeArena() {
        arena.close();
    }

    @Test
    void memoryGoesWithAMessageAndIsTheSame() {
        DescriptorSocket[] ends = DescriptorSocket.pair(calls);
        int memory = MemoryFile.create(calls, "test", 1 << 20);
        assertThat(ends[0].send(calls, "first", -1)).isZero();
        assertThat(ends[0].send(calls, "second äöü", memory)).isZero();
        assertThat(ends[1].receive(calls)).isEqualTo(new Message("first", -1));
        Message second = ends[1].receive(calls);
        assertThat(second.text()).isEqualTo("second äöü");
        assertThat(second.descriptor()).isPositive().isNotEqualTo(memory);

        Mapping here = Mapping.file(calls, 1 << 20, memory);
        here.memory().set(JAVA_LONG, 8192, 42L);
        calls.close(memory);
        MemorySegment there = arena.allocate(JAVA_LONG);
        assertThat(MemoryFile.read(calls, second.descriptor(), 8192, there)).isEqualTo(8);
        assertThat(there.get(JAVA_LONG, 0)).isEqualTo(42);
        assertThat(MemoryFile.data(calls, second.descriptor(), 0)).isEqualTo(8192);
        assertThat(MemoryFile.data(calls, second.descriptor(), 1 << 19)).isEqualTo(-Linux.ENXIO);
        assertThat(MemoryFile.size(calls, second.descriptor())).isEqualTo(1 << 20);
        here.close(calls);
        calls.close(second.descriptor());
        ends[0].close(calls);
        ends[1].close(calls);
    }

    @Test
    void theEndOfTheOtherIsNoticed() {
        DescriptorSocket[] ends = DescriptorSocket.pair(calls);
        ends[0].close(calls);
        assertThat(ends[1].receive(calls)).isNull();
        assertThat(ends[1].send(calls, "x", -1)).isEqualTo(-Linux.EPIPE);
        ends[1].close(calls);
    }

    @Test
    void waitsNoLongerThanItsLimit() {
        DescriptorSocket[] ends = DescriptorSocket.pair(calls);
        assertThat(ends[0].limit(calls, 1)).isZero();
        assertThat(ends[0].receive(calls)).isNull();
        ends[0].close(calls);
        ends[1].close(calls);
    }

    @Test
    void noManagerIsAnErrorNumber(@TempDir Path temp) {
        assertThat(DescriptorSocket.sendTo(calls, temp.resolve("none").toString(), "READY=1", -1))
                .isEqualTo(-Linux.ENOENT);
        assertThat(DescriptorSocket.sendTo(calls, "/" + "x".repeat(200), "READY=1", -1))
                .isEqualTo(-Linux.EINVAL);
        assertThat(DescriptorSocket.sendTo(calls, "@ext4-nobody-listens", "READY=1", -1))
                .isNegative();
    }

    @Test
    void aProgramGoesOnAndIsHandedItsEnd() {
        DescriptorSocket[] ends = DescriptorSocket.pair(calls);
        List<String> command =
                List.of("/bin/sh", "-c", "printf hello >&" + Spawn.HANDED + "; cat <&3 >/dev/null; exit 5");
        int pid = Spawn.start(calls, command, List.of(), ends[1].fd(), 2);
        assertThat(pid).isPositive();
        ends[1].close(calls);
        assertThat(ends[0].receive(calls).text()).isEqualTo("hello");
        ends[0].close(calls); // the end of its input
        assertThat(Spawn.end(calls, pid)).isEqualTo(5);
        assertThat(Spawn.start(calls, List.of("/nonexistent/program"), List.of(), -1, 2))
                .isEqualTo(-Linux.ENOENT);
    }
}
