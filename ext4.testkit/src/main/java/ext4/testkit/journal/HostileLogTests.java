// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ext4.api.fs.CorruptException;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.UnsupportedFeatureException;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.api.journal.JournalOptions;
import ext4.api.journal.JournalRecovery;
import ext4.format.Le;
import ext4.format.checksum.Crc32c;
import ext4.format.jbd2.CommitBlock;
import ext4.format.jbd2.DescriptorWriter;
import ext4.format.jbd2.JournalFeature;
import ext4.format.jbd2.JournalSuperblock;
import ext4.format.jbd2.LogFormat;
import ext4.format.jbd2.RevokeBlock;
import ext4.testkit.device.ArrayDevice;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs that nobody sane wrote: recovery ends, writes where it may, and says what is wrong. */
abstract class HostileLogTests extends JournalCase {
    private static final int BS = ModelHost.BLOCK;

    /** The shortest log with a fast-commit area of 64 blocks. */
    private static final int FAST_COMMIT_LOG = 1024 + 64;

    /** A log made by hand. */
    private final class Log {
        final byte[] image = ModelHost.image();
        final byte[] superblock = Arrays.copyOfRange(image, ModelHost.FIRST_AT * BS, ModelHost.FIRST_AT * BS + 1024);
        final LogFormat format;

        Log(int compat, int incompat) {
            this(compat, incompat, ModelHost.LOG, 0);
        }

        Log(int compat, int incompat, int length, int fastCommitBlocks) {
            JournalSuperblock.init(superblock, BS, length, new byte[16], fastCommitBlocks);
            JournalSuperblock.setFeatures(superblock, compat, incompat, 0);
            JournalSuperblock.setStart(superblock, 1);
            JournalSuperblock.setSequence(superblock, 10);
            format = LogFormat.of(superblock);
            putSuperblock();
        }

        void putSuperblock() {
            JournalSuperblock.seal(superblock);
            System.arraycopy(superblock, 0, image, ModelHost.FIRST_AT * BS, superblock.length);
        }

        void put(int lblk, byte[] block) {
            int pblk = (int) new ModelHost(new ArrayDevice(image)).logBlock(lblk);
            System.arraycopy(block, 0, image, pblk * BS, BS);
        }

        byte[] data(long value) {
            return Content.sealed(BS, 0, value);
        }

        /** A descriptor at {@code lblk} with its blocks behind it. */
        void descriptor(int lblk, int sequence, long... pblks) {
            byte[] block = new byte[BS];
            DescriptorWriter writer = new DescriptorWriter(format);
            writer.open(block, sequence);
            for (int i = 0; i < pblks.length; i++) {
                byte[] data = data(1 + i);
                writer.add(pblks[i], false, format.tagChecksum(sequence, data, 0));
                put(lblk + 1 + i, data);
            }
            writer.finish();
            put(lblk, block);
        }

        void revoke(int lblk, int sequence, long pblk) {
            byte[] block = new byte[BS];
            RevokeBlock.init(format, block, sequence);
            RevokeBlock.add(format, block, pblk);
            format.sealTail(block);
            put(lblk, block);
        }

        void commit(int lblk, int sequence, long seconds) {
            byte[] block = new byte[BS];
            CommitBlock.write(format, block, sequence, seconds, 0);
            put(lblk, block);
        }

        JournalRecovery recover() {
            ModelHost host = new ModelHost(new ArrayDevice(image));
            host.logLength = JournalSuperblock.maxLen(superblock);
            return provider().recover(host);
        }

        long value(long pblk) {
            return Content.value(image, pblk * BS);
        }
    }

    private static final int[] FORMATS = {
        0,
        JournalFeature.INCOMPAT_64BIT,
        JournalFeature.INCOMPAT_CSUM_V2 | JournalFeature.INCOMPAT_64BIT,
        JournalFeature.INCOMPAT_CSUM_V2,
        JournalFeature.INCOMPAT_CSUM_V3,
        JournalFeature.INCOMPAT_CSUM_V3 | JournalFeature.INCOMPAT_64BIT
    };

    @Test
    void eachFormatIsReplayed() {
        for (int incompat : FORMATS) {
            Log log = new Log(0, incompat | JournalFeature.INCOMPAT_REVOKE);
            log.descriptor(1, 10, 700, 701);
            log.commit(4, 10, 5);
            log.revoke(5, 11, 701);
            log.descriptor(6, 11, 702);
            log.commit(8, 11, 6);
            log.descriptor(9, 12, 703);
            JournalRecovery recovery = log.recover();
            assertEquals(new JournalRecovery(2, 2, 1, 13, 0), recovery, "incompat " + incompat);
            assertEquals(1, log.value(700));
            assertEquals(0, log.value(701));
            assertEquals(1, log.value(702));
            assertEquals(0, log.value(703));
            assertEquals(new JournalRecovery(0, 0, 0, 13, 0), log.recover(), "a second time");
        }
    }

    @Test
    void tagsAndRevokesOutsideTheFilesystemAreRefused() {
        long[] bad = {ModelHost.BLOCKS, 0xFFFFFFFFL, ModelHost.FIRST_AT, ModelHost.FIRST_AT + 3, ModelHost.SECOND_AT + 1
        };
        for (long pblk : bad) {
            Log log = new Log(0, JournalFeature.INCOMPAT_CSUM_V3);
            log.descriptor(1, 10, 700, pblk);
            log.commit(4, 10, 5);
            byte[] before = log.image.clone();
            assertThrows(CorruptException.class, log::recover, "block " + pblk);
            assertArrayEquals(before, log.image, "nothing written");
        }
        Log log = new Log(0, JournalFeature.INCOMPAT_REVOKE);
        log.revoke(1, 10, 5_000_000);
        log.commit(2, 10, 5);
        assertSays("5000000", assertThrows(CorruptException.class, log::recover));
    }

    @Test
    void whatIsWrongInAnUnfinishedTransactionDoesNotMatter() {
        Log log = new Log(0, 0);
        log.descriptor(1, 10, 700);
        log.commit(3, 10, 5);
        log.descriptor(4, 11, ModelHost.BLOCKS + 7);
        assertEquals(1, log.recover().transactions());
    }

    @Test
    void aBrokenDescriptorIsCorruptIfItsCommitIsNotOlder() {
        for (long seconds : new long[] {4, 5}) {
            Log log = new Log(0, JournalFeature.INCOMPAT_CSUM_V3);
            log.descriptor(1, 10, 700);
            log.commit(3, 10, 5);
            log.descriptor(4, 11, 701);
            log.image[(int) new ModelHost(new ArrayDevice(log.image)).logBlock(4) * BS + 900] ^= 1;
            log.commit(6, 11, seconds);
            if (seconds < 5) {
                assertEquals(1, log.recover().transactions(), "an older round of the ring");
                assertEquals(0, log.value(701));
            } else {
                assertThrows(CorruptException.class, log::recover);
            }
        }
    }

    @Test
    void aBrokenCommitBlockEndsTheLogAndNoLaterNumberIsReused() {
        Log log = new Log(0, JournalFeature.INCOMPAT_CSUM_V3);
        log.descriptor(1, 10, 700);
        log.commit(3, 10, 5);
        log.image[(ModelHost.FIRST_AT + 3) * BS + 900] ^= 1;
        log.descriptor(4, 11, 701);
        log.commit(6, 11, 6);
        JournalRecovery recovery = log.recover();
        assertEquals(0, recovery.transactions());
        assertTrue(recovery.nextSequence() > 11 + ModelHost.LOG - 2);
    }

    @Test
    void aBrokenLoggedBlockIsLeftOutAndReported() {
        Log log = new Log(0, JournalFeature.INCOMPAT_CSUM_V3);
        log.descriptor(1, 10, 700, 701);
        log.commit(4, 10, 5);
        log.image[(ModelHost.FIRST_AT + 2) * BS + 900] ^= 1;
        assertSays("700", assertThrows(CorruptException.class, log::recover));
        assertEquals(0, log.value(700));
        assertEquals(2, log.value(701));
    }

    @Test
    void aLogThatLeadsInACircleEnds() {
        Log log = new Log(0, JournalFeature.INCOMPAT_REVOKE);
        for (int lblk = 1; lblk < ModelHost.LOG; lblk++) {
            log.revoke(lblk, 10, 700);
        }
        assertEquals(0, log.recover().transactions());
        Log descriptors = new Log(0, 0);
        for (int lblk = 1; lblk < ModelHost.LOG - 1; lblk += 2) {
            descriptors.descriptor(lblk, 10, 700);
        }
        assertEquals(0, descriptors.recover().transactions());
    }

    @Test
    void aRingThatBeginsAtItsEndIsReplayed() {
        Log log = new Log(0, JournalFeature.INCOMPAT_CSUM_V3);
        JournalSuperblock.setStart(log.superblock, ModelHost.LOG - 1);
        log.putSuperblock();
        byte[] data = log.data(1);
        byte[] block = new byte[BS];
        DescriptorWriter writer = new DescriptorWriter(log.format);
        writer.open(block, 10);
        writer.add(700, false, log.format.tagChecksum(10, data, 0));
        writer.finish();
        log.put(ModelHost.LOG - 1, block);
        log.put(1, data);
        log.commit(2, 10, 5);
        assertEquals(1, log.recover().transactions());
        assertEquals(1, log.value(700));
    }

    @Test
    void aFastCommitForTheNextTransactionIsRefused() {
        for (boolean valid : new boolean[] {true, false}) {
            Log log = fastCommitLog(valid ? 11 : 9);
            byte[] before = log.image.clone();
            if (valid) {
                assertSays("fast_commit", assertThrows(UnsupportedFeatureException.class, log::recover));
                assertArrayEquals(before, log.image);
            } else {
                assertEquals(1, log.recover().transactions());
            }
        }
    }

    /** One full commit, number 10, and a fast commit of head and tail. */
    private Log fastCommitLog(int tid) {
        int incompat = JournalFeature.INCOMPAT_CSUM_V3 | JournalFeature.INCOMPAT_FAST_COMMIT;
        Log log = new Log(0, incompat, FAST_COMMIT_LOG, 64);
        log.descriptor(1, 10, 700);
        log.commit(3, 10, 5);
        byte[] block = new byte[BS];
        Le.put16(block, 0, 9);
        Le.put16(block, 2, 8);
        Le.put32(block, 8, tid);
        Le.put16(block, 12, 8);
        Le.put16(block, 14, BS - 16);
        Le.put32(block, 16, tid);
        Le.put32(block, 20, Crc32c.raw(0, block, 0, 20));
        log.put(FAST_COMMIT_LOG - 64 + 1, block);
        return log;
    }

    @Test
    void unknownFeaturesAreRefusedByName() {
        Log log = new Log(0, 0x100);
        assertSays("0x100", assertThrows(UnsupportedFeatureException.class, log::recover));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void randomDamageIsSurvived(boolean checksums) {
        long seed = Long.getLong("ext4.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        byte[] sound = crashedImage(checksums);
        for (int round = 0; round < 1000; round++) {
            byte[] image = sound.clone();
            damage(image, random);
            byte[] before = image.clone();
            try {
                provider().recover(new ModelHost(new ArrayDevice(image)));
            } catch (Ext4Exception e) {
                assertFalse(e.getMessage().contains("outside the device"), e.getMessage());
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ", round " + round, e);
            }
            // Blocks of the log behind its superblock are never written.
            assertEquals(
                    -1,
                    Arrays.mismatch(
                            image,
                            (ModelHost.FIRST_AT + 1) * BS,
                            (ModelHost.FIRST_AT + ModelHost.FIRST_PIECE) * BS,
                            before,
                            (ModelHost.FIRST_AT + 1) * BS,
                            (ModelHost.FIRST_AT + ModelHost.FIRST_PIECE) * BS),
                    "seed " + seed + ", round " + round);
        }
    }

    private static void assertSays(String what, Throwable refusal) {
        assertTrue(refusal.getMessage().contains(what), refusal.getMessage());
    }

    private static void damage(byte[] image, SplittableRandom random) {
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            // Control blocks lie near the log's beginning; their first bytes decide most.
            int pblk = ModelHost.FIRST_AT + random.nextInt(60);
            int at = pblk * BS + random.nextInt(random.nextBoolean() ? 64 : BS);
            image[at] = (byte) (random.nextBoolean() ? random.nextInt() : image[at] ^ 1 << random.nextInt(8));
        }
    }

    private byte[] crashedImage(boolean checksums) {
        byte[] image = ModelHost.image();
        ModelHost host = new ModelHost(new ArrayDevice(image));
        host.checksums = checksums;
        Journal journal = provider().open(host, new JournalOptions(600_000, true, 1 << 20));
        for (int round = 0; round < 12; round++) {
            try (Handle handle = journal.start(HandleKind.INODE, 4, 0)) {
                for (int i = 0; i < 3; i++) {
                    ModelBlock block = host.block(700 + round % 5 + i * 5);
                    Content.fill(handle.write(block), block.pblk(), round);
                }
                handle.forget(720 + round, null);
            }
            journal.commitRunning();
        }
        byte[] crashed = image.clone();
        journal.close();
        return crashed;
    }
}
