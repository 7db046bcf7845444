// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.api.journal.Journal;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalProvider;
import ext4.testkit.device.ArrayDevice;
import ext4.testkit.device.DeviceEvent;
import ext4.testkit.device.RecordingDevice;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Power is lost at every write of a mixed workload; after recovery all blocks are as one transaction left them, and that
 * one is no older than the last that was reported durable.
 */
abstract class CrashTests extends JournalCase {
    private static final int SECTOR = 512;
    private static final int CRASHES = 400;

    @ParameterizedTest(name = "wide {0}, checksums {1}, {2} threads, {3} of 100 steps change a block''s use")
    @CsvSource({
        "true, true, 3, 30",
        "true, false, 3, 30",
        "false, true, 1, 60",
        "false, false, 4, 10",
        "true, true, 4, 80",
    })
    void recoversToATransaction(boolean wide, boolean checksums, int threads, int freeing) throws Exception {
        long seed = Long.getLong("ext4.seed", System.nanoTime());
        String what = "seed " + seed + " (-Dext4.seed)";
        byte[] base = ModelHost.image();
        RecordingDevice device = new RecordingDevice(new ArrayDevice(base.clone()));
        ModelHost host = new ModelHost(device);
        host.wide = wide;
        host.checksums = checksums;
        History model = new History();
        host.committed = tid -> model.durable(device.position(), tid);
        device.start();
        JournalProvider provider = provider();
        Journal journal = provider.open(host, new JournalOptions(20, true, 200L * ModelHost.BLOCK));
        JournalLoad workload = new JournalLoad(host, device, journal, model);
        try {
            workload.run(threads, 3000 / threads, freeing, seed);
        } catch (Exception e) {
            throw new AssertionError(what + " " + journal.counters(), e);
        }
        long last = journal.runningTid();
        journal.close();
        workload.blocks.forEach(block -> assertLetGo(block));
        List<DeviceEvent> events = device.events();
        new Crashes(provider, base, events, host, model, what).check(new SplittableRandom(seed), last);
    }

    /** Moves over the record, and recovers at many points of it. */
    private record Crashes(
            JournalProvider provider,
            byte[] base,
            List<DeviceEvent> events,
            ModelHost like,
            History model,
            String what) {
        void check(SplittableRandom random, long last) {
            byte[] all = base.clone();
            byte[] flushed = base.clone();
            int lastFlush = 0;
            int stride = Math.max(1, events.size() / CRASHES);
            for (int at = 0; at <= events.size(); at++) {
                if (at % stride == 0 || at == events.size()) {
                    recover(all.clone(), at, at, "all written");
                    byte[] torn = flushed.clone();
                    for (int i = lastFlush; i < at; i++) {
                        tear(torn, (DeviceEvent.Write) events.get(i), random);
                    }
                    recover(torn, lastFlush, at, "unflushed ones torn");
                }
                if (at == events.size()) {
                    break;
                }
                if (events.get(at) instanceof DeviceEvent.Write write) {
                    System.arraycopy(write.data(), 0, all, (int) write.offset(), write.data().length);
                } else {
                    System.arraycopy(all, 0, flushed, 0, all.length);
                    lastFlush = at + 1;
                }
            }
            model.check(all, last, what + ", closed");
        }

        private void tear(byte[] image, DeviceEvent.Write write, SplittableRandom random) {
            int how = random.nextInt(3);
            for (int i = 0; i < write.data().length; i += SECTOR) {
                if (how == 1 || how == 2 && random.nextBoolean()) {
                    System.arraycopy(write.data(), i, image, (int) write.offset() + i, SECTOR);
                }
            }
        }

        private void recover(byte[] image, int promised, int at, String how) {
            String when = what + ", crash at event " + at + " of " + events.size() + ", " + how;
            ArrayDevice device = new ArrayDevice(image);
            ModelHost host = new ModelHost(device);
            host.wide = like.wide;
            host.checksums = like.checksums;
            byte[] again = image.clone();
            try {
                provider.recover(host);
                if (at % 5 == 0) {
                    recoverAfterCrashInRecovery(again, host, new SplittableRandom(at));
                }
            } catch (RuntimeException e) {
                throw new AssertionError(when, e);
            }
            long tid = Content.value(image, (long) ModelHost.DATA_AT * ModelHost.BLOCK);
            assertTrue(
                    tid >= newestWritten(promised),
                    () -> when + ": transaction " + tid + " of " + newestWritten(promised));
            model.check(image, tid, when);
        }

        /** Recovery itself loses power at some write; a second one ends in the same state. */
        private void recoverAfterCrashInRecovery(byte[] image, ModelHost like, SplittableRandom random) {
            RecordingDevice recorded = new RecordingDevice(new ArrayDevice(image.clone()));
            recorded.start();
            provider.recover(like.on(recorded));
            List<DeviceEvent> events = recorded.events();
            int flushed = (int) events.stream()
                    .takeWhile(event -> event instanceof DeviceEvent.Write)
                    .count();
            int at = events.isEmpty() ? 0 : random.nextInt(events.size() + 1);
            for (int i = 0; i < at; i++) {
                if (!(events.get(i) instanceof DeviceEvent.Write write)) {
                    continue;
                }
                if (at <= flushed) {
                    tear(image, write, random);
                } else {
                    System.arraycopy(write.data(), 0, image, (int) write.offset(), write.data().length);
                }
            }
            provider.recover(like.on(new ArrayDevice(image)));
            byte[] once = ((ArrayDevice) like.device()).bytes();
            int data = ModelHost.DATA_AT * ModelHost.BLOCK;
            int end = data + ModelHost.DATA * ModelHost.BLOCK;
            assertEquals(-1, Arrays.mismatch(image, data, end, once, data, end), what);
        }

        /** Transactions without a block have no clock entry: the newest that has one must be there. */
        private long newestWritten(int position) {
            return model.newestWritten(model.acknowledged(position));
        }
    }
}
