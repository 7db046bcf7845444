// SPDX-License-Identifier: Apache-2.0
package ext4.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ProcessorsTest {
    @Test
    void readsLists() {
        assertThat(Processors.parse("0\n").stream()).containsExactly(0);
        assertThat(Processors.parse("0-2,8,10-11\n").stream()).containsExactly(0, 1, 2, 8, 10, 11);
        assertThatThrownBy(() -> Processors.parse("3-1")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Processors.parse("0-99999")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void everyProcessorThatWorksIsPossible() throws IOException {
        assertThat(Processors.online().cardinality()).isPositive();
        assertThat(Processors.possible().stream().boxed().toList())
                .containsAll(Processors.online().stream().boxed().toList());
    }

    @Test
    void aThreadIsPinnedAndIsGoneAfterItsEnd() throws Exception {
        CompletableFuture<Integer> number = new CompletableFuture<>();
        CompletableFuture<String> allowed = new CompletableFuture<>();
        CountDownLatch seen = new CountDownLatch(1);
        int processor = Processors.online().length() - 1;
        Thread thread = Thread.ofPlatform().start(() -> {
            try (Arena arena = Arena.ofConfined()) {
                SystemCalls calls = new SystemCalls(arena);
                assertThat(Processors.pin(calls, processor)).isZero();
                assertThat(Processors.pin(calls, 8191)).isEqualTo(-Linux.EINVAL);
                allowed.complete(Files.readString(Path.of("/proc/thread-self/status")));
                number.complete(Processors.thread(calls));
                seen.await();
            } catch (IOException | InterruptedException | RuntimeException | Error e) {
                allowed.completeExceptionally(e);
                number.completeExceptionally(e);
            }
        });
        assertThat(allowed.get()).contains("Cpus_allowed_list:\t" + processor + "\n");
        assertThat(Processors.gone(number.get())).isFalse();
        seen.countDown();
        thread.join();
        while (!Processors.gone(number.get())) {
            Thread.onSpinWait(); // it leaves Java before the kernel is done with it
        }
    }
}
