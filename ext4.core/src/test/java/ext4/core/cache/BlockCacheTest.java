// SPDX-License-Identifier: Apache-2.0
package ext4.core.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ext4.api.fs.CorruptException;
import ext4.device.MemoryBlockDevice;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cache is bounded, keeps what is pinned, loads once, and refuses two meanings of one block. */
class BlockCacheTest {
    private static final int BLOCK = 1024;
    private static final int BLOCKS = 4096;
    private static final long BUDGET = 512L * BLOCK;

    private record Kind(String what, AtomicInteger loads) implements BlockKind {
        @Override
        public long id() {
            return what.hashCode();
        }

        @Override
        public void verify(byte[] block, long pblk) {
            loads.incrementAndGet();
            if (block[1] != 0) {
                throw new CorruptException(what, pblk, "byte 1", "" + block[1], "0");
            }
        }

        @Override
        public void seal(byte[] block, long pblk) {
            // has no checksum
        }
    }

    private final Kind kind = new Kind("thing", new AtomicInteger());
    private final MemoryBlockDevice device = new MemoryBlockDevice("memory", (long) BLOCK * BLOCKS);
    private final BlockCache cache = new BlockCache(device, BLOCK, BLOCKS, BUDGET);

    @BeforeEach
    void numberTheBlocks() {
        for (int i = 0; i < BLOCKS; i++) {
            device.write((long) i * BLOCK, ByteBuffer.wrap(new byte[] {(byte) i}));
        }
    }

    @Test
    void whoeverRemembersABlockPinsItOnlyWhileItIsThere() {
        CachedBlock remembered = cache.get(7, kind);
        assertThat(remembered.tryPin()).isTrue();
        remembered.close();
        remembered.close();
        for (int i = 100; i < BLOCKS; i++) {
            cache.get(i, kind).close();
        }
        assertThat(remembered.tryPin()).isFalse();
        assertThat(remembered.data()).as("memory it would hold on to").isNull();
        try (CachedBlock again = cache.get(7, kind)) {
            assertThat(again).isNotSameAs(remembered);
            assertThat(again.data()[0]).isEqualTo((byte) 7);
        }
    }

    @Test
    void itIsBoundedButKeepsWhatIsPinned() {
        List<CachedBlock> pinned = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            pinned.add(cache.get(i, kind));
        }
        for (int i = 100; i < BLOCKS; i++) {
            try (CachedBlock block = cache.get(i, kind)) {
                assertThat(block.data()[0]).isEqualTo((byte) i);
            }
        }
        assertThat(cache.bytes()).isLessThanOrEqualTo(BUDGET + 100L * BLOCK);
        for (CachedBlock block : pinned) {
            try (CachedBlock again = cache.get(block.pblk(), kind)) {
                assertThat(again).isSameAs(block);
            }
            block.close();
        }
        assertThatThrownBy(() -> pinned.getFirst().unpin()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aBlockIsLoadedOnceByManyThreads() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<CachedBlock>> got = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                got.add(threads.submit(() -> cache.get(7, kind)));
            }
            for (Future<CachedBlock> block : got) {
                assertThat(block.get()).isSameAs(got.getFirst().get());
            }
        }
        assertThat(kind.loads()).hasValue(1);
    }

    @Test
    void whatIsBadIsNotKept() {
        device.write(9L * BLOCK, ByteBuffer.wrap(new byte[] {9, 1}));
        assertThatThrownBy(() -> cache.get(9, kind)).isInstanceOf(CorruptException.class);
        assertThat(cache.peek(9)).isNull();
        device.write(9L * BLOCK, ByteBuffer.wrap(new byte[] {9, 0}));
        cache.get(9, kind).close();
        assertThatThrownBy(() -> cache.get(BLOCKS, kind)).isInstanceOf(CorruptException.class);
        assertThatThrownBy(() -> cache.get(-1, kind)).isInstanceOf(CorruptException.class);
    }

    @Test
    void oneBlockIsNotTwoThings() {
        cache.get(5, kind).close();
        Kind other = new Kind("other thing", new AtomicInteger());
        assertThatThrownBy(() -> cache.get(5, other))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("in use as thing");
        cache.drop(5);
        cache.get(5, other).close();
        try (CachedBlock fresh = cache.getNew(5, kind)) {
            assertThat(fresh.data()).containsOnly(0);
        }
    }
}
