// SPDX-License-Identifier: Apache-2.0
package ext4.core.volume;

import ext4.api.fs.CorruptException;
import ext4.api.fs.DeviceException;
import ext4.api.fs.Ext4Exception;
import ext4.api.fs.MountOptions.Errors;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.Journal;
import ext4.format.superblock.Superblock;
import ext4.format.superblock.SuperblockFields;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The errors= behaviour (ext4(5)). The first contradiction is logged with its evidence and marked in the superblock; with
 * remount-ro the journal is aborted before, so that nothing of a half-made change reaches the disk, and further changes
 * are refused. Called with no lock and no handle held.
 */
public final class ErrorPolicy {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorPolicy.class);
    private static final int CODE_IO = 2;
    private static final int CODE_CORRUPT = 5;
    private static final int ERRORS_CONTINUE = 1;

    private final Volume volume;
    private final AtomicBoolean marked = new AtomicBoolean();
    private final LongAdder count = new LongAdder();

    /** What stopped all changes, set before the journal is told: one that takes its place meanwhile is told too. */
    private volatile Throwable stopped;

    ErrorPolicy(Volume volume) {
        this.volume = volume;
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
     * A verb met a contradiction. Returns the same exception, to be thrown on.
     *
     * @param verb what was being done, for the log and the superblock
     * @param ino inode concerned, or 0
     */
    public CorruptException corrupt(String verb, int ino, CorruptException e) {
        count.increment();
        if (marked.compareAndSet(false, true)) {
            LOG.error("{}: corrupt filesystem in {} (inode {}): {}", name(), verb, ino, e.getMessage());
            if (!volume.readOnly()) {
                stopOrMark(verb, ino, e);
            }
        }
        return e;
    }

    /** The journal aborted: changes are refused and the superblock is marked. */
    public void journalAborted(Throwable cause) {
        volume.readOnly(true);
        if (marked.compareAndSet(false, true)) {
            count.increment();
            LOG.error("{}: journal aborted, now read-only", name(), cause);
            markDirectly("journal", 0, -1, cause instanceof CorruptException ? CODE_CORRUPT : CODE_IO);
        }
    }

    private void stopOrMark(String verb, int ino, CorruptException e) {
        if (behaviour() == Errors.CONTINUE) {
            try {
                recordThroughJournal((b, off) -> mark(b, off, verb, ino, e.block(), CODE_CORRUPT));
            } catch (Ext4Exception failed) {
                LOG.error("{}: the error could not be recorded", name(), failed);
            }
            return;
        }
        volume.readOnly(true);
        stopped = e;
        Journal journal = volume.journal();
        if (journal != null) {
            journal.abort(e);
        }
        markDirectly(verb, ino, e.block(), CODE_CORRUPT);
        LOG.error("{}: remounted read-only", name());
    }

    private void recordThroughJournal(SuperblockBuffer.Edit edit) {
        SuperblockBuffer superblock = volume.superblockBuffer();
        if (!volume.whileDetached(() -> superblock.writeThrough(volume.device(), edit))) {
            try (Handle handle = volume.start(HandleKind.SUPER, 1, 0)) {
                superblock.edit(handle, edit);
            }
        }
    }

    /** Past the journal, which writes nothing any more: the superblock as the device has it, plus the error. */
    private void markDirectly(String verb, int ino, long block, int code) {
        byte[] b = new byte[Superblock.SIZE];
        try {
            volume.device().read(Superblock.BYTE_OFFSET, ByteBuffer.wrap(b));
            Evidence.check(() -> Superblock.checkIdentity(b, 0));
            mark(b, 0, verb, ino, block, code);
            SuperblockFields.seal(b, 0);
            volume.device().write(Superblock.BYTE_OFFSET, ByteBuffer.wrap(b));
            volume.device().flush();
        } catch (DeviceException | CorruptException failed) {
            LOG.error("{}: the error could not be recorded", name(), failed);
        }
    }

    private void mark(byte[] b, int off, String verb, int ino, long block, int code) {
        SuperblockFields.setState(b, off, SuperblockFields.state(b, off) | Superblock.STATE_ERROR);
        long now = WallClock.seconds(volume.clock().nanos());
        SuperblockFields.recordError(b, off, now, ino, Math.max(0, block), verb, 0, code);
    }

    private String name() {
        return volume.device().name();
    }
}
