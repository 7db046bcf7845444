// SPDX-License-Identifier: Apache-2.0
package ext4.lab.stack;

import ext4.api.journal.Handle;
import ext4.api.journal.MetaBlock;
import ext4.api.orphan.OrphanList;

/** A handle that does what another does, for those that change one thing of it. */
public class ForwardingHandle implements Handle {
    /** The one that works; a restart may put another here. */
    protected Handle handle;

    /** Does what {@code handle} does. */
    protected ForwardingHandle(Handle handle) {
        this.handle = handle;
    }

    @Override
    public long tid() {
        return handle.tid();
    }

    @Override
    public OrphanList orphans() {
        return handle.orphans();
    }

    @Override
    public byte[] write(MetaBlock block) {
        return handle.write(block);
    }

    @Override
    public byte[] writeJoined(MetaBlock block) {
        return handle.writeJoined(block);
    }

    @Override
    public void forget(long pblk, MetaBlock block) {
        handle.forget(pblk, block);
    }

    @Override
    public void reserveForClosing(int credits) {
        handle.reserveForClosing(credits);
    }

    @Override
    public int credits() {
        return handle.credits();
    }

    @Override
    public boolean extend(int credits) {
        return handle.extend(credits);
    }

    @Override
    public void restart(int credits, int orphanChanges) {
        handle.restart(credits, orphanChanges);
    }

    @Override
    public void close() {
        handle.close();
    }
}
