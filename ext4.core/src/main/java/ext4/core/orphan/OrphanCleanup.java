// SPDX-License-Identifier: Apache-2.0
package ext4.core.orphan;

import ext4.api.fs.CorruptException;
import ext4.api.fs.UnsupportedFeatureException;
import ext4.api.journal.Handle;
import ext4.api.journal.HandleKind;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStore;
import ext4.core.file.Engine;
import ext4.core.file.Evict;
import ext4.core.file.Truncate;
import ext4.core.inode.Inode;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finishes at mount what a crash interrupted: orphans without links are freed, the others cut to their size. */
public final class OrphanCleanup {
    private static final Logger LOG = LoggerFactory.getLogger(OrphanCleanup.class);

    private final Engine engine;
    private final Evict evict;
    private final Truncate truncate;

    /** Works by these verbs. */
    public OrphanCleanup(Engine engine, Evict evict, Truncate truncate) {
        this.engine = engine;
        this.evict = evict;
        this.truncate = truncate;
    }

    /**
     * Processes all, the list at work having them. One that contradicts itself does not hinder the mount, as with the kernel:
     * it stays on the list, and errors= applies.
     */
    public void run(List<OrphanPlace> orphans, OrphanStore store) {
        int freed = 0;
        int cut = 0;
        for (OrphanPlace orphan : orphans) {
            if (engine.volume().readOnly()) {
                return; // an error before stopped all changes
            }
            try {
                if (process(orphan.ino())) {
                    freed++;
                } else {
                    cut++;
                }
            } catch (CorruptException e) {
                engine.volume().errors().changing("orphan cleanup", orphan.ino(), e);
            } catch (UnsupportedFeatureException e) {
                LOG.warn("{}: an orphan is left: {}", engine.volume().device().name(), e.getMessage());
            }
        }
        if (!store.persistent()) {
            clear(orphans, store);
        }
        if (freed + cut > 0) {
            LOG.info("{}: {} orphans freed, {} cut", engine.volume().device().name(), freed, cut);
        }
    }

    private boolean process(int ino) {
        if (cut(ino)) {
            return false;
        }
        evict.evict(ino, HandleKind.RECOVERY);
        return true;
    }

    /** Finishes the truncate of an orphan with links; false if it has none. */
    public boolean cut(int ino) {
        Inode inode = engine.inodes().getUnlinked(ino);
        try {
            inode.lock.writeLock().lock();
            try {
                if (inode.nlink == 0) {
                    return false;
                }
                truncate.recover(inode);
                return true;
            } finally {
                inode.lock.writeLock().unlock();
            }
        } finally {
            engine.inodes().put(inode);
        }
    }

    /** Without a journal a list keeps to memory: what an earlier journal left on disk is taken off here. */
    public void clear(List<OrphanPlace> orphans, OrphanStore store) {
        for (OrphanPlace orphan : orphans) {
            try (Handle handle = engine.volume().start(HandleKind.RECOVERY, 1, 0)) {
                if (orphan.where() == OrphanPlace.Where.SLOT) {
                    store.slot(handle, orphan.block(), orphan.slot(), 0);
                } else if (store.chainHead() != 0) {
                    store.chainHead(handle, 0);
                }
            }
        }
    }
}
