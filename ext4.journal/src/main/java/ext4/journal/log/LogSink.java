// SPDX-License-Identifier: Apache-2.0
package ext4.journal.log;

import ext4.api.block.BlockDevice;
import ext4.api.fs.CorruptException;
import ext4.api.fs.DeviceException;
import ext4.api.fs.UnsupportedFeatureException;
import ext4.api.journal.JournalHost;
import ext4.api.journal.JournalOptions;
import ext4.format.jbd2.JournalFeature;
import ext4.format.jbd2.JournalSuperblock;
import ext4.format.jbd2.LogFormat;
import ext4.journal.engine.BlockState;
import ext4.journal.engine.CommitSink;
import ext4.journal.engine.FrozenTransaction;
import ext4.journal.inplace.BlockWriter;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of JBD2 as the place transactions go to. */
public final class LogSink implements CommitSink {
    private static final Logger LOG = LoggerFactory.getLogger(LogSink.class);

    /** As jbd2: a transaction may fill a quarter of the log. */
    private static final int LOG_SHARE = 4;

    private static final int SMALLEST = 256;

    /** Revokes that a transaction may have before room for them is made at its commit. */
    private static final int USUAL_REVOKES = 1024;

    private final BlockDevice device;
    private final int blockSize;
    private final boolean barrier;
    private final long memoryBudget;
    private final LogFormat format;
    private final LogRing ring;
    private final LogAppender appender;
    private final TransactionWriter transactions;
    private final long firstTid;
    private final int size;

    /** Log blocks that a full transaction takes. */
    private final int fullSize;

    private Owner owner;
    private Checkpointer checkpointer;
    private volatile boolean admits = true;

    /**
     * Takes over an empty log: sets the features that the filesystem asks for and clears s_errno, which the host has
     * turned into the filesystem's error state by now.
     *
     * @param clock for the times in commit blocks
     * @throws CorruptException if the log is not empty
     */
    public LogSink(JournalHost host, JournalOptions options, InstantSource clock) {
        LogFile file = new LogFile(host);
        prepare(file, host);
        this.device = host.device();
        this.blockSize = host.blockSize();
        this.barrier = options.barrier();
        this.memoryBudget = options.memoryBudget();
        this.format = file.format();
        this.ring = new LogRing(file, barrier);
        BlockWriter writer = new BlockWriter(device, blockSize);
        this.appender = new LogAppender(ring, file, writer);
        this.transactions = new TransactionWriter(format, appender, clock);
        this.firstTid = Integer.toUnsignedLong(JournalSuperblock.sequence(file.superblock()));
        long byMemory = Math.max(SMALLEST, memoryBudget / blockSize / LOG_SHARE);
        this.size = (int) Math.min(ring.capacity() / LOG_SHARE, byMemory);
        this.fullSize = TransactionWriter.blocksFor(format, size, USUAL_REVOKES);
    }

    private static void prepare(LogFile file, JournalHost host) {
        byte[] superblock = file.superblock();
        byte[] found = superblock.clone();
        if (JournalSuperblock.start(superblock) != 0) {
            throw new CorruptException(
                    "journal superblock",
                    file.map().pblk(0),
                    "s_start",
                    Integer.toString(JournalSuperblock.start(superblock)),
                    "0, an empty log");
        }
        if (!JournalSuperblock.isVersion2(superblock)) {
            throw new UnsupportedFeatureException("journal", List.of("journal superblock of version 1"));
        }
        int compat = JournalSuperblock.compat(superblock) & ~JournalFeature.COMPAT_CHECKSUM;
        // A clean log needs no fast-commit area, and e2fsck 1.47 replays a log with one wrongly when it wraps.
        int incompat = JournalSuperblock.incompat(superblock)
                        & ~(JournalFeature.INCOMPAT_CSUM_V2
                                | JournalFeature.INCOMPAT_CSUM_V3
                                | JournalFeature.INCOMPAT_ASYNC_COMMIT
                                | JournalFeature.INCOMPAT_FAST_COMMIT)
                | JournalFeature.INCOMPAT_REVOKE
                | (host.wideBlockNumbers() ? JournalFeature.INCOMPAT_64BIT : 0)
                | (host.metadataChecksums() ? JournalFeature.INCOMPAT_CSUM_V3 : 0);
        JournalSuperblock.setFeatures(superblock, compat, incompat, JournalSuperblock.roCompat(superblock));
        JournalSuperblock.setErrno(superblock, 0);
        if (!Arrays.equals(found, superblock)) {
            file.writeSuperblock(true);
        }
    }

    @Override
    public boolean journals() {
        return true;
    }

    @Override
    public int transactionSize() {
        return size;
    }

    @Override
    public long firstTid() {
        return firstTid;
    }

    @Override
    public void attach(Owner journal) {
        owner = journal;
        checkpointer = new Checkpointer(ring, device, blockSize, this::weigh, owner);
        checkpointer.start();
    }

    @Override
    public boolean admits() {
        return admits;
    }

    @Override
    public void relieve() {
        checkpointer.request();
    }

    @Override
    public void commit(FrozenTransaction transaction) {
        transaction.seal();
        makeRoom(transaction);
        boolean older = ring.hasOlder();
        LoggedTransaction logged = ring.begin(transaction);
        appender.startAt(logged.start());
        if (older) {
            transactions.writeRevokes(logged.sequence(), transaction.revokes());
        }
        transactions.writeBlocks(logged.sequence(), transaction);
        transactions.prepareCommit();
        appender.push();
        if (barrier) {
            device.flush();
        }
        if (owner.aborted()) {
            return;
        }
        transactions.writeCommit(logged.sequence());
        appender.push();
        if (barrier) {
            device.flush();
        }
        settle(transaction, logged);
    }

    /** Usually starts wait for room, so there is enough; revokes and commits in a row can make it short. */
    private void makeRoom(FrozenTransaction transaction) {
        int need = TransactionWriter.blocksFor(format, transaction.count(), transaction.revokes().length);
        if (need > ring.free()) {
            checkpointer.drain();
        }
        // With nothing older in the log there is nothing to revoke.
        int least = TransactionWriter.blocksFor(format, transaction.count(), 0);
        int now = ring.hasOlder() ? need : least;
        if (now > ring.free()) {
            throw new IllegalStateException("a transaction of " + now + " log blocks, free are " + ring.free());
        }
    }

    private void settle(FrozenTransaction transaction, LoggedTransaction logged) {
        for (BlockState freed : transaction.forgotten()) {
            freed.dropDurable();
        }
        for (int i = 0; i < transaction.count(); i++) {
            transaction.state(i).logged(transaction.version(i), logged.waiting());
        }
        ring.complete(logged, appender.appended());
        if (!transaction.forgotten().isEmpty()) {
            checkpointer.awaitBatch();
        }
        weigh();
    }

    /** Compares log space and memory with what the next transaction needs. */
    private synchronized void weigh() {
        int free = ring.free();
        long bytes = ring.waiting() * blockSize;
        if (free < ring.capacity() / 2 || bytes > memoryBudget / 2) {
            checkpointer.request();
        }
        boolean enough = free >= fullSize && bytes <= memoryBudget;
        boolean changed = enough && !admits;
        admits = enough;
        if (changed) {
            owner.roomChanged();
        }
    }

    @Override
    public void checkpoint() {
        try {
            checkpointer.drain();
            device.flush();
            ring.recordEmpty();
            weigh();
        } catch (DeviceException e) {
            owner.failed(e);
            throw e;
        }
    }

    @Override
    public void recordError(int errno) {
        try {
            ring.recordError(errno);
        } catch (DeviceException e) {
            LOG.warn("the journal superblock does not tell of the abort", e);
        }
    }

    @Override
    public void close(boolean aborted) {
        checkpointer.stop();
        ring.abandon();
    }

    @Override
    public void count(Map<String, Long> counters) {
        counters.put("log blocks", (long) ring.capacity());
        counters.put("log blocks free", (long) ring.free());
        counters.put("blocks waiting for checkpoint", ring.waiting());
        counters.put("blocks checkpointed", checkpointer.blocks());
    }
}
