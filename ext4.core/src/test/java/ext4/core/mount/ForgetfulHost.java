// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.block.BlockDevice;
import ext4.api.journal.Handle;
import ext4.api.journal.JournalHost;

/** A host that does not say which transaction numbers it has seen: its journal counts anew. */
record ForgetfulHost(JournalHost host) implements JournalHost {
    @Override
    public BlockDevice device() {
        return host.device();
    }

    @Override
    public int blockSize() {
        return host.blockSize();
    }

    @Override
    public long blocksCount() {
        return host.blocksCount();
    }

    @Override
    public int logLength() {
        return host.logLength();
    }

    @Override
    public long logBlock(int lblk) {
        return host.logBlock(lblk);
    }

    @Override
    public boolean wideBlockNumbers() {
        return host.wideBlockNumbers();
    }

    @Override
    public boolean metadataChecksums() {
        return host.metadataChecksums();
    }

    @Override
    public void closing(Handle handle) {
        host.closing(handle);
    }

    @Override
    public void committed(long tid) {
        host.committed(tid);
    }

    @Override
    public void aborted(Throwable cause) {
        host.aborted(cause);
    }
}
