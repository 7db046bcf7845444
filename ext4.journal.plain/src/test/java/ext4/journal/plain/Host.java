// SPDX-License-Identifier: Apache-2.0
package ext4.journal.plain;

import ext4.api.block.BlockDevice;
import ext4.api.journal.Handle;
import ext4.api.journal.JournalHost;

/** Passes everything on, for a mistake to be planted into. */
class Host implements JournalHost {
    final JournalHost below;

    Host(JournalHost below) {
        this.below = below;
    }

    @Override
    public BlockDevice device() {
        return below.device();
    }

    @Override
    public int blockSize() {
        return below.blockSize();
    }

    @Override
    public long blocksCount() {
        return below.blocksCount();
    }

    @Override
    public int logLength() {
        return below.logLength();
    }

    @Override
    public long logBlock(int lblk) {
        return below.logBlock(lblk);
    }

    @Override
    public boolean wideBlockNumbers() {
        return below.wideBlockNumbers();
    }

    @Override
    public boolean metadataChecksums() {
        return below.metadataChecksums();
    }

    @Override
    public long newestTid() {
        return below.newestTid();
    }

    @Override
    public void closing(Handle handle) {
        below.closing(handle);
    }

    @Override
    public void committed(long tid) {
        below.committed(tid);
    }

    @Override
    public void aborted(Throwable cause) {
        below.aborted(cause);
    }
}
