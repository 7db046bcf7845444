// SPDX-License-Identifier: Apache-2.0
package ext4.keeper.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.DeviceException;
import ext4.sys.MemoryFile;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeptWordsTest {
    @Test
    void comesBackAsItWas() {
        KeptWords words = new KeptWords(
                "fuse",
                List.of("fuse.0", "fuse.7"),
                Map.of("flags", -1L, "minor", 45L),
                Map.of("a\nb", "c=d"),
                Map.of("strategy", "äöü"),
                true);
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            int fd = words.write(calls);
            assertThat(KeptWords.read(calls, fd)).isEqualTo(words);
            assertThat(KeptWords.read(calls, fd)).as("read twice").isEqualTo(words);
            calls.close(fd);
        }
    }

    @Test
    void whatIsNotOursIsRefused() {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            int empty = MemoryFile.create(calls, "empty", 0);
            int zeros = MemoryFile.create(calls, "zeros", 100);
            assertThatThrownBy(() -> KeptWords.read(calls, empty)).isInstanceOf(DeviceException.class);
            assertThatThrownBy(() -> KeptWords.read(calls, zeros))
                    .isInstanceOf(DeviceException.class)
                    .hasMessageContaining("another version");
            calls.close(empty);
            calls.close(zeros);
        }
    }
}
