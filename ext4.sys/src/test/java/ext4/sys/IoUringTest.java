// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IoUringTest {
    private final Arena arena = Arena.ofConfined();
    private final SystemCalls calls = new SystemCalls(arena);
    private IoUring ring;

    @BeforeEach
    void open() {
        try {
            ring = IoUring.open(calls, 3);
        } catch (UnsupportedOperationException e) {
            abort("skipped: " + e.getMessage());
        }
    }

    @AfterEach
    void close() {
        if (ring != null) {
            ring.close(calls);
        }
        arena.close();
    }

    @Test
    void completesWhatWasSubmittedMoreOftenThanItHasRoom() {
        int event = calls.eventfd(1, SystemCalls.EFD_CLOEXEC);
        for (long round = 0; round < 1000; round++) {
            ring.poll(event, round);
            ring.poll(event, -round);
            assertThat(ring.enter(calls, 2)).isZero();
            for (int i = 0; i < 2; i++) {
                assertThat(ring.completed()).isTrue();
                assertThat(ring.userData()).isEqualTo(i == 0 ? round : -round);
                assertThat(ring.result()).isPositive();
                ring.next();
            }
            assertThat(ring.completed()).isFalse();
        }
        calls.close(event);
    }

    @Test
    void anEventCompletesLater() {
        int event = calls.eventfd(0, SystemCalls.EFD_CLOEXEC | SystemCalls.EFD_NONBLOCK);
        ring.poll(event, 7);
        assertThat(ring.enter(calls, 0)).isZero();
        assertThat(ring.completed()).isFalse();
        MemorySegment one = arena.allocateFrom(JAVA_LONG, 1L);
        assertThat(calls.write(event, one, 8)).isEqualTo(8);
        assertThat(ring.enter(calls, 1)).isZero();
        assertThat(ring.userData()).isEqualTo(7);
        assertThat(calls.read(event, one, 8)).isEqualTo(8);
        assertThat(calls.read(event, one, 8)).isEqualTo(-Linux.EAGAIN);
        calls.close(event);
    }

    @Test
    void aCommandToADescriptorThatTakesNoneFails() {
        int event = calls.eventfd(0, SystemCalls.EFD_CLOEXEC);
        long at = ring.command(event, 1, 0, 0, 5);
        assertThat(ring.submissions().asSlice(at, IoUring.COMMAND_BYTES).toArray(JAVA_BYTE))
                .containsOnly(0);
        assertThat(ring.enter(calls, 1)).isZero();
        assertThat(ring.userData()).isEqualTo(5);
        assertThat(ring.result()).isEqualTo(-Linux.EOPNOTSUPP);
        calls.close(event);
    }

    @Test
    void neverWritesOverWhatIsNotSubmitted() {
        int event = calls.eventfd(0, SystemCalls.EFD_CLOEXEC);
        for (int i = 0; i < 4; i++) { // the kernel rounds up to a power of two
            ring.poll(event, i);
        }
        assertThatThrownBy(() -> ring.poll(event, 4)).isInstanceOf(IllegalStateException.class);
        calls.close(event);
    }

    @Test
    void anonymousMemoryIsZeroAndWritable() {
        Mapping mapping = Mapping.anonymous(calls, 1L << 30);
        mapping.memory().set(JAVA_LONG, (1L << 30) - 8, 5L);
        assertThat(mapping.memory().get(JAVA_LONG, (1L << 30) - 8)).isEqualTo(5);
        assertThat(mapping.memory().get(JAVA_LONG, 1L << 29)).isZero();
        mapping.close(calls);
        assertThatThrownBy(() -> Mapping.anonymous(calls, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("mmap: invalid argument");
    }
}
