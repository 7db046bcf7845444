// SPDX-License-Identifier: Apache-2.0
package ext4.core.volume;

import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.journal.JournalClosedException;
import ext4.api.journal.MetaBlock;
import ext4.api.orphan.OrphanList;

/**
 * A handle for work that may span transactions: a {@link #restart} that finds the journal closed goes on under a handle of
 * its successor. Used by one thread.
 */
final class SpanningHandle implements Handle {
    private final Volume volume;
    private final HandleKind kind;
    private Handle part;

    SpanningHandle(Volume volume, HandleKind kind, int credits, int orphanChanges) {
        this.volume = volume;
        this.kind = kind;
        part = volume.start(kind, credits, orphanChanges);
    }

    @Override
    public long tid() {
        return part.tid();
    }

    @Override
    public OrphanList orphans() {
        return part.orphans();
    }

    @Override
    public byte[] write(MetaBlock block) {
        return part.write(block);
    }

    @Override
    public byte[] writeJoined(MetaBlock block) {
        return part.writeJoined(block);
    }

    @Override
    public void forget(long pblk, MetaBlock block) {
        part.forget(pblk, block);
    }

    @Override
    public void reserveForClosing(int credits) {
        part.reserveForClosing(credits);
    }

    @Override
    public int credits() {
        return part.credits();
    }

    @Override
    public boolean extend(int credits) {
        return part.extend(credits);
    }

    @Override
    public void restart(int credits, int orphanChanges) {
        try {
            part.restart(credits, orphanChanges);
        } catch (JournalClosedException e) {
            part = volume.start(kind, credits, orphanChanges);
        }
    }

    @Override
    public void close() {
        part.close();
    }
}
