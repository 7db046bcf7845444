// SPDX-License-Identifier: Apache-2.0
package ext4.core.volume;

import ext4.api.fs.CorruptException;
import ext4.api.fs.DeviceException;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.MountOptions.Errors;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.core.cache.BlockKind.Loss;
import ext4.core.cache.UnreadableBlock;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The errors= behaviour (ext4(5)). An error of the filesystem is a contradiction of its structures, a block of metadata that
 * can't be read where the kernel counts that too (see {@link ext4.core.cache.BlockKind.Loss}), or the journal's abort; that
 * contents can't be read or written is not: who asked for them gets EIO.
 *
 * <p>The first one is logged with its evidence and recorded in the superblock; with remount-ro the journal is aborted before,
 * so that nothing more of a half-made change reaches the disk, and further changes are refused. Later ones are counted, and
 * recorded when the superblock is written next: by syncfs, or at the end of the mount. Called with no lock and no handle held.
 */
public final class ErrorPolicy {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorPolicy.class);
    private static final int CODE_IO = 2;
    private static final int CODE_CORRUPT = 5;
    private static final int ERRORS_CONTINUE = 1;

    private final Volume volume;
    private final AtomicBoolean marked = new AtomicBoolean();
    private final LongAdder count = new LongAdder();
    /** Failures of the device that are no errors of the filesystem. */
    private final AtomicLong deviceErrors = new AtomicLong();

    private final ErrorRecord record = new ErrorRecord();

    /** What stopped all changes, set before the journal is told: one that takes its place meanwhile is told too. */
    private volatile Throwable stopped;

    ErrorPolicy(Volume volume) {
        this.volume = volume;
    }

    /** What it first needs when something fails: that may be when its bundle has been updated, and nothing more is loaded. */
    public static List<Class<?>> neededLate() {
        return List.of(
                FsError.class, ErrorRecord.Entry.class, ErrorRecord.Taken.class, UnreadableBlock.class, Loss.class);
    }

    /** The behaviour in force. */
    public Errors behaviour() {
        Errors chosen = volume.options().errors();
        if (chosen != null) {
            return chosen;
        }
        return volume.superblock().errorsBehaviour() == ERRORS_CONTINUE ? Errors.CONTINUE : Errors.REMOUNT_RO;
    }

    /** What stopped all changes, or null. */
    public Throwable stopped() {
        return stopped;
    }

    /** Errors met in this mount. */
    public long count() {
        return count.sum();
    }

    /**
     * A verb that looks up a name ended with {@code e}. Returns the same exception, to be thrown on.
     *
     * @param verb what was being done, for the log and the superblock
     * @param ino inode concerned, or 0
     */
    public Ext4Exception lookingUp(String verb, int ino, Ext4Exception e) {
        return ended(verb, ino, e, Loss.OF_A_NAME);
    }

    /** As {@link #lookingUp}, for another verb that changes nothing. */
    public Ext4Exception reading(String verb, int ino, Ext4Exception e) {
        return ended(verb, ino, e, Loss.ALWAYS);
    }

    /** As {@link #lookingUp}, for a verb that changes something: what it can't read may have left it half made. */
    public Ext4Exception changing(String verb, int ino, Ext4Exception e) {
        return ended(verb, ino, e, Loss.OF_A_CHANGE);
    }

    private Ext4Exception ended(String verb, int ino, Ext4Exception e, Loss counted) {
        if (e instanceof CorruptException corrupt) {
            met(new FsError(verb, ino, corrupt.block(), CODE_CORRUPT, corrupt));
        } else if (e.getCause() instanceof UnreadableBlock block
                && block.kind().loss().compareTo(counted) <= 0) {
            met(new FsError(verb, ino, block.pblk(), CODE_IO, e));
        } else if (e instanceof DeviceException) {
            told(verb, ino, e);
        }
        return e;
    }

    /** Whoever asked gets EIO; the log tells of the first ones, then of ever fewer. */
    private void told(String verb, int ino, Ext4Exception e) {
        long number = deviceErrors.incrementAndGet();
        if (Long.bitCount(number) == 1) {
            LOG.warn(
                    "{}: {} of inode {} failed, the device's error number {}: {}",
                    name(),
                    verb,
                    Integer.toUnsignedString(ino),
                    number,
                    e.getMessage());
        }
    }

    private void met(FsError error) {
        count.increment();
        record.add(error, now());
        if (marked.compareAndSet(false, true)) {
            LOG.error(
                    "{}: error in {} (inode {}): {}",
                    name(),
                    error.verb(),
                    Integer.toUnsignedString(error.ino()),
                    error.cause().getMessage());
            if (!volume.readOnly()) {
                stopOrRecord(error);
            }
        }
    }

    /** The journal aborted: changes are refused and the superblock is marked. */
    @SuppressWarnings("ReferenceEquality") // whether it is the abort that this policy asked for
    public void journalAborted(Throwable cause) {
        volume.readOnly(true);
        if (cause == stopped) {
            return;
        }
        marked.set(true);
        count.increment();
        int code = cause instanceof CorruptException ? CODE_CORRUPT : CODE_IO;
        record.add(new FsError("journal", 0, -1, code, cause), now());
        LOG.error("{}: journal aborted, now read-only", name(), cause);
        recordDirectly();
    }

    private void stopOrRecord(FsError error) {
        if (behaviour() == Errors.CONTINUE) {
            try {
                recordThroughJournal();
            } catch (Ext4Exception failed) {
                LOG.error("{}: the error could not be recorded", name(), failed);
            }
            return;
        }
        stop(error.cause());
        recordDirectly();
        LOG.error("{}: remounted read-only", name());
    }

    private void stop(Throwable cause) {
        volume.readOnly(true);
        stopped = cause;
        Journal journal = volume.journal();
        if (journal != null) {
            journal.abort(cause);
        }
    }

    private void recordThroughJournal() {
        SuperblockBuffer superblock = volume.superblockBuffer();
        if (!volume.whileDetached(() -> superblock.writeThrough(volume.device(), record::put))) {
            try (Handle handle = volume.start(HandleKind.SUPER, 1, 0)) {
                superblock.edit(handle, record::put);
            }
        }
    }

    /** Whether errors were met that are not in the superblock yet. */
    public boolean unrecorded() {
        return record.pending();
    }

    /** Puts them in; the caller writes it. */
    public void put(byte[] b, int off) {
        record.put(b, off);
    }

    /** At the end of a mount whose journal aborted: the device that could not take the record then may be able to now. */
    public void recordAtEnd() {
        if (record.pending()) {
            recordDirectly();
        }
    }

    /** Past the journal, which writes nothing any more: the superblock as the device has it, plus the errors. */
    private void recordDirectly() {
        byte[] b = new byte[Superblock.SIZE];
        ErrorRecord.Taken taken = record.take();
        try {
            volume.device().read(Superblock.BYTE_OFFSET, ByteBuffer.wrap(b));
            Evidence.check(() -> Superblock.checkIdentity(b, 0));
            taken.put(b, 0);
            SuperblockFields.seal(b, 0);
            volume.device().write(Superblock.BYTE_OFFSET, ByteBuffer.wrap(b));
            volume.device().flush();
        } catch (DeviceException | CorruptException failed) {
            record.giveBack(taken);
            LOG.error("{}: the error could not be recorded", name(), failed);
        }
    }

    private long now() {
        return WallClock.seconds(volume.clock().nanos());
    }

    private String name() {
        return volume.device().name();
    }
}
