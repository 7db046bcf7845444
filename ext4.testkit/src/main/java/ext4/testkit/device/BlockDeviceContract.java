// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.api.block.BlockDevice;
import ext4.api.fs.DeviceException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * What every block device must keep, as tests: a device's own test class extends this and makes devices. One that keeps its
 * bytes after it is closed extends {@link DurableBlockDeviceContract} instead.
 */
public abstract class BlockDeviceContract {
    /** A size in bytes that is a multiple of no page or piece, only of 512. */
    protected static final int SIZE = 500_224;

    private static final int SECTOR = 512;
    private static final int THREADS = 4;

    private final List<BlockDevice> made = new ArrayList<>();

    /**
     * A new device that can be written.
     *
     * @param size in bytes, a multiple of 512
     */
    protected abstract BlockDevice create(long size) throws Exception;

    /** As {@link #create}; closed after the test. */
    protected final BlockDevice make(long size) throws Exception {
        BlockDevice device = create(size);
        made.add(device);
        return device;
    }

    @AfterEach
    void closeAll() {
        made.forEach(BlockDevice::close);
    }

    /** What a device holds. */
    protected static byte[] content(BlockDevice device) {
        byte[] bytes = new byte[Math.toIntExact(device.size())];
        device.read(0, ByteBuffer.wrap(bytes));
        return bytes;
    }

    @Test
    void saysWhatItIs() throws Exception {
        for (int size : new int[] {SECTOR, SIZE, 3 << 20}) {
            BlockDevice device = make(size);
            assertEquals(size, device.size());
            assertFalse(device.readOnly(), "a device that can be written");
            assertFalse(device.name().isBlank(), "a name for messages");
        }
    }

    /** All kinds of buffers, with bytes before their position and behind their limit that are none of the transfer's. */
    @Test
    void movesTheBytesBetweenPositionAndLimit() throws Exception {
        BlockDevice device = make(SIZE);
        byte[] bytes = new byte[10_000];
        new Random(1).nextBytes(bytes);
        for (boolean direct : new boolean[] {false, true}) {
            ByteBuffer out = buffer(direct, bytes.length + 20);
            out.position(7).put(bytes).position(7).limit(7 + bytes.length);
            device.write(4095, out.asReadOnlyBuffer());
            device.write(4095, out);
            assertEquals(out.limit(), out.position(), "the position moves to the limit");
            ByteBuffer in = buffer(direct, bytes.length + 20);
            in.position(3).limit(3 + bytes.length);
            device.read(4095, in);
            assertEquals(3 + bytes.length, in.position(), "all bytes are read, or it fails");
            assertEquals(3 + bytes.length, in.limit());
            in.clear();
            byte[] found = new byte[bytes.length + 20];
            in.get(found);
            byte[] expected = new byte[bytes.length + 20];
            System.arraycopy(bytes, 0, expected, 3, bytes.length);
            assertArrayEquals(expected, found);
        }
        device.read(SIZE, ByteBuffer.allocate(0));
        device.write(SIZE, ByteBuffer.allocate(0));
    }

    private static ByteBuffer buffer(boolean direct, int size) {
        return direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
    }

    @Test
    void behavesAsAnArray() throws Exception {
        long seed = Long.getLong("ext4.seed", System.nanoTime());
        Random random = new Random(seed);
        BlockDevice device = make(SIZE);
        byte[] model = content(device);
        for (int step = 0; step < 400; step++) {
            int offset = random.nextInt(SIZE);
            int most = random.nextInt(8) == 0 ? SIZE : 5000;
            int length = random.nextInt(Math.min(most, SIZE - offset) + 1);
            byte[] bytes = new byte[length];
            switch (random.nextInt(4)) {
                case 0 -> device.zero(offset, length);
                case 1 -> {
                    device.discard(offset, length); // undefined until written
                    random.nextBytes(bytes);
                    device.write(offset, ByteBuffer.wrap(bytes));
                }
                default -> {
                    random.nextBytes(bytes);
                    device.write(offset, ByteBuffer.wrap(bytes));
                }
            }
            System.arraycopy(bytes, 0, model, offset, length);
            String when = "seed " + seed + " (-Dext4.seed), step " + step;
            int from = Math.max(0, offset - 600);
            byte[] around = new byte[Math.min(SIZE, offset + length + 600) - from];
            device.read(from, ByteBuffer.wrap(around));
            assertArrayEquals(Arrays.copyOfRange(model, from, from + around.length), around, when);
        }
        assertArrayEquals(model, content(device), "seed " + seed);
    }

    @Test
    void movesMegabytesAtOnce() throws Exception {
        BlockDevice device = make(5 << 20);
        byte[] bytes = new byte[(5 << 20) - 1000];
        new Random(2).nextBytes(bytes);
        device.write(777, ByteBuffer.wrap(bytes));
        byte[] found = new byte[bytes.length];
        device.read(777, ByteBuffer.wrap(found));
        assertArrayEquals(bytes, found);
        device.zero(777, bytes.length);
        device.read(777, ByteBuffer.wrap(found));
        assertArrayEquals(new byte[bytes.length], found);
    }

    @Test
    void refusesWhatLiesOutside() throws Exception {
        BlockDevice device = make(SIZE);
        byte[] before = content(device);
        long[][] outside = {{-1, 1}, {-1, 2}, {SIZE, 1}, {SIZE - 10, 11}, {Long.MAX_VALUE, 1}, {Long.MIN_VALUE, 1}};
        for (long[] each : outside) {
            String what = "byte " + each[0] + ", length " + each[1];
            int length = (int) each[1];
            refused(what, () -> device.read(each[0], ByteBuffer.allocate(length)));
            refused(what, () -> device.write(each[0], ByteBuffer.allocate(length)));
            refused(what, () -> device.zero(each[0], length));
        }
        assertArrayEquals(before, content(device));
    }

    /** A refusal is the device kind of error, and says something. */
    protected static void refused(String what, Executable access) {
        DeviceException refusal = assertThrows(DeviceException.class, access, what);
        assertFalse(refusal.getMessage() == null || refusal.getMessage().isBlank(), "a message: " + what);
    }

    @Test
    void aClosedDeviceRefusesEverything() throws Exception {
        BlockDevice device = make(SIZE);
        device.write(0, ByteBuffer.allocate(100));
        device.flush();
        device.close();
        device.close();
        refused("read", () -> device.read(0, ByteBuffer.allocate(1)));
        refused("write", () -> device.write(0, ByteBuffer.allocate(1)));
        refused("zero", () -> device.zero(0, 1));
        refused("flush", device::flush);
    }

    /** Requests are interrupted: the transfer is made all the same, and nobody else's suffers. */
    @Test
    void anInterruptedThreadLosesNothingAndClosesNothing() throws Exception {
        BlockDevice device = make(SIZE);
        Thread.currentThread().interrupt();
        device.write(512, ByteBuffer.wrap(new byte[] {7}));
        assertTrue(Thread.interrupted(), "the interrupt status is kept");
        Thread.currentThread().interrupt();
        device.flush();
        ByteBuffer back = ByteBuffer.allocate(1);
        device.read(512, back);
        assertTrue(Thread.interrupted(), "the interrupt status is kept");
        assertEquals(7, back.get(0));
        device.read(512, back.clear());
    }

    /** Each thread has every fourth sector and finds there what it wrote, whatever the others do beside it. */
    @Test
    void manyThreadsEachWithSectorsOfItsOwn() throws Exception {
        BlockDevice device = make(SIZE);
        byte[] expected = content(device);
        together(thread -> {
            Random random = new Random(thread);
            byte[] sector = new byte[SECTOR];
            for (int round = 0; round < 3; round++) {
                for (int at = thread * SECTOR; at < SIZE; at += THREADS * SECTOR) {
                    random.nextBytes(sector);
                    device.write(at, ByteBuffer.wrap(sector));
                    byte[] found = new byte[SECTOR];
                    device.read(at, ByteBuffer.wrap(found));
                    assertArrayEquals(sector, found, "thread " + thread + ", byte " + at);
                    System.arraycopy(sector, 0, expected, at, SECTOR);
                }
                device.flush();
            }
        });
        assertArrayEquals(expected, content(device));
    }

    /** Of writes of the same bytes at once either is left; a reader meanwhile sees what was there or what is written. */
    @Test
    void writesOfTheSameBytesLeaveEithers() throws Exception {
        BlockDevice device = make(SIZE);
        int length = 20_000;
        device.zero(0, length);
        together(thread -> {
            byte[] mine = new byte[length];
            Arrays.fill(mine, (byte) (1 + thread));
            for (int round = 0; round < 50; round++) {
                device.write(0, ByteBuffer.wrap(mine));
                byte[] found = new byte[length];
                device.read(0, ByteBuffer.wrap(found));
                for (byte each : found) {
                    assertTrue(each >= 1 && each <= THREADS, "a byte that nobody wrote: " + each);
                }
            }
        });
    }

    /** What one of several threads does. */
    @FunctionalInterface
    interface Part {
        void run(int thread) throws Exception;
    }

    private static void together(Part part) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        try (ExecutorService pool = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                int thread = t;
                all.add(pool.submit(() -> {
                    start.await();
                    part.run(thread);
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
    }
}
