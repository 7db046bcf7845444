// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.api.block.BlockDevice;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract of a device that keeps its bytes: what a flush returned from is there when it is opened again. */
public abstract class DurableBlockDeviceContract extends BlockDeviceContract {
    private final List<BlockDevice> reopened = new ArrayList<>();

    /**
     * Opens again the device that {@link #create} made last and that is closed now. Whatever the kind has between itself
     * and its medium (a cache, a connection) is new, as after a loss of power.
     */
    protected abstract BlockDevice reopen(boolean readOnly) throws Exception;

    private BlockDevice again(boolean readOnly) throws Exception {
        BlockDevice device = reopen(readOnly);
        reopened.add(device);
        return device;
    }

    @AfterEach
    void closeReopened() {
        reopened.forEach(BlockDevice::close);
    }

    @Test
    void keepsWhatWasFlushed() throws Exception {
        long seed = Long.getLong("ext4.seed", System.nanoTime());
        Random random = new Random(seed);
        BlockDevice device = make(SIZE);
        byte[] model = content(device);
        for (int round = 0; round < 5; round++) {
            for (int step = 0; step < 20; step++) {
                int offset = random.nextInt(SIZE - 5000);
                byte[] bytes = new byte[random.nextInt(5000)];
                if (random.nextInt(4) == 0) {
                    device.zero(offset, bytes.length);
                } else {
                    random.nextBytes(bytes);
                    device.write(offset, ByteBuffer.wrap(bytes));
                }
                System.arraycopy(bytes, 0, model, offset, bytes.length);
            }
            device.flush();
            device.close();
            device = again(false);
            assertEquals(SIZE, device.size());
            assertArrayEquals(model, content(device), "seed " + seed + " (-Dext4.seed), round " + round);
        }
    }

    /** A flush is for everything that was written before it, whoever wrote it. */
    @Test
    void aFlushIsForTheWritesOfAllThreads() throws Exception {
        BlockDevice device = make(SIZE);
        byte[] model = new byte[SIZE];
        new Random(3).nextBytes(model);
        int part = SIZE / 4;
        try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                int from = t * part;
                all.add(pool.submit(() -> {
                    for (int at = from; at < from + part; at += 512) {
                        device.write(at, ByteBuffer.wrap(model, at, Math.min(512, from + part - at)));
                    }
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
        device.flush();
        device.close();
        assertArrayEquals(model, content(again(true)));
    }

    @Test
    void openForReadingItRefusesEachWrite() throws Exception {
        BlockDevice device = make(SIZE);
        device.write(100, ByteBuffer.wrap(new byte[] {1, 2, 3}));
        device.flush();
        byte[] before = content(device);
        device.close();
        BlockDevice reader = again(true);
        assertTrue(reader.readOnly());
        refused("write", () -> reader.write(0, ByteBuffer.allocate(1)));
        refused("zero", () -> reader.zero(0, 512));
        assertArrayEquals(before, content(reader));
        reader.flush();
    }
}
