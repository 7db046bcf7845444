// SPDX-License-Identifier: Apache-2.0
package ext4.keeper.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.DeviceException;
import ext4.api.fs.PinnedInodes;
import ext4.sys.MemoryFile;
import ext4.sys.SystemCalls;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryNodeTableTest {
    private static final long INODES = 4_000_000_000L;

    private final Arena arena = Arena.ofConfined();
    private final SystemCalls calls = new SystemCalls(arena);
    private final MemoryNodeTable table = MemoryNodeTable.create(calls, INODES);

    @AfterEach
    void close() {
        table.close(calls);
        arena.close();
    }

    private static Map<Long, String> entries(PinnedInodes pinned) {
        Map<Long, String> entries = new TreeMap<>();
        pinned.forEach((ino, generation, count, unlinked) ->
                entries.put(Integer.toUnsignedLong(ino), Integer.toHexString(generation) + " " + count));
        return entries;
    }

    @Test
    void knowsGenerationAndCountOfNumbersFarApart() {
        table.raise(12, 0xFEEDF00D);
        table.raise(12, 0xFEEDF00D);
        table.raise((int) 3_999_999_999L, 7);
        table.raise(1_000_000, 1);
        table.lower(1_000_000, 1);
        assertThat(entries(table.pinned())).isEqualTo(Map.of(12L, "feedf00d 2", 3_999_999_999L, "7 1"));
    }

    @Test
    void theRootIsNotCountedAndMoreThanThereAreCountAsAll() {
        table.raise(2, 0);
        table.raise(11, 5);
        table.raise(13, 5);
        table.lower(13, 9);
        table.lower(14, 1);
        assertThat(entries(table.pinned())).isEqualTo(Map.of(11L, "5 1"));
        table.lower(11, -1); // an unsigned 64-bit number of the kernel
        assertThat(table.pinned().size()).isZero();
    }

    @Test
    void aNumberThatIsUsedAgainIsNeverTooLow() {
        table.raise(20, 1);
        table.raise(20, 2); // before the giving back of the first was counted
        assertThat(entries(table.pinned())).isEqualTo(Map.of(20L, "2 2"));
        table.lower(20, 1);
        assertThat(entries(table.pinned())).isEqualTo(Map.of(20L, "2 1"));
    }

    @Test
    void aCountThatIsFullStaysFull() {
        for (int i = 0; i < 3; i++) {
            table.raise(30, 1);
        }
        fill(30);
        table.raise(30, 1);
        assertThat(entries(table.pinned())).isEqualTo(Map.of(30L, "1 4294967295"));
        table.lower(30, 4_000_000_000L);
        assertThat(entries(table.pinned())).isEqualTo(Map.of(30L, "1 4294967295"));
    }

    private void fill(int ino) {
        var memory = ext4.sys.Mapping.file(calls, (INODES + 1) * Long.BYTES, table.descriptor());
        memory.memory().setAtIndex(java.lang.foreign.ValueLayout.JAVA_LONG, ino, 1L << 32 | 0xFFFF_FFFFL);
        memory.close(calls);
    }

    @Test
    void anotherMappingOfItSeesTheSame() {
        table.raise(40, 3);
        MemoryNodeTable other = MemoryNodeTable.open(calls, MemoryFile.duplicate(calls, table.descriptor()));
        table.raise(41, 4);
        assertThat(entries(other.pinned())).isEqualTo(Map.of(40L, "3 1", 41L, "4 1"));
        other.lower(40, 1);
        assertThat(entries(table.pinned())).isEqualTo(Map.of(41L, "4 1"));
        other.close(calls);
        int wrong = MemoryFile.create(calls, "wrong", 13);
        assertThatThrownBy(() -> MemoryNodeTable.open(calls, wrong))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("13 bytes");
        calls.close(wrong);
    }

    @Test
    void aLookAtAnEmptyTableTakesNoMemory() {
        table.raise(1 << 20, 1);
        assertThat(table.pinned().size()).isOne();
        assertThat(MemoryFile.data(calls, table.descriptor(), 0)).isEqualTo((1L << 20) * Long.BYTES);
        assertThat(MemoryFile.data(calls, table.descriptor(), (1L << 20) * Long.BYTES + 4096))
                .as("no page after it was touched")
                .isNegative();
    }

    @Test
    void manyThreadsLoseNothing() throws Exception {
        long seed = System.nanoTime();
        int threads = 4;
        int numbers = 64; // neighbours, so that they meet in a line of memory and in one word
        List<Callable<long[]>> work = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            Random random = new Random(seed + t);
            work.add(() -> {
                long[] own = new long[numbers];
                for (int i = 0; i < 200_000; i++) {
                    int number = random.nextInt(numbers);
                    if (own[number] > 0 && random.nextInt(3) == 0) {
                        long back = 1 + random.nextLong(own[number]);
                        own[number] -= back;
                        table.lower(100 + number, back);
                    } else {
                        own[number]++;
                        table.raise(100 + number, number);
                    }
                }
                return own;
            });
        }
        Map<Long, String> expected = new TreeMap<>();
        long[] sum = new long[numbers];
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (Future<long[]> done : pool.invokeAll(work)) {
                long[] own = done.get();
                for (int i = 0; i < numbers; i++) {
                    sum[i] += own[i];
                }
            }
        }
        for (int i = 0; i < numbers; i++) {
            if (sum[i] > 0) {
                expected.put(100L + i, Integer.toHexString(i) + " " + sum[i]);
            }
        }
        assertThat(entries(table.pinned())).as("seed " + seed).isEqualTo(expected);
    }
}
