// SPDX-License-Identifier: Apache-2.0
package ext4.core.orphan;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import java.util.List;

/**
 * The orphans while no strategy is at work: where each stands, kept until a successor takes them over. Adding and removing
 * is not possible.
 */
public final class DetachedOrphans implements OrphanList {
    private final List<OrphanPlace> present;

    /** Keeps these. */
    public DetachedOrphans(List<OrphanPlace> present) {
        this.present = List.copyOf(present);
    }

    @Override
    public int credits(int changes) {
        return 0;
    }

    @Override
    public void add(Handle handle, int ino) {
        throw ErrnoException.of(Errno.EIO);
    }

    @Override
    public void remove(Handle handle, int ino) {
        throw ErrnoException.of(Errno.EIO);
    }

    @Override
    public void closing(Handle handle) {
        // nothing is put off
    }

    @Override
    public boolean pending() {
        return false;
    }

    @Override
    public List<OrphanPlace> present() {
        return present;
    }

    @Override
    public long size() {
        return present.size();
    }

    @Override
    public long diskChanges() {
        return 0;
    }

    @Override
    public void detach() {
        // holds nothing
    }
}
