// SPDX-License-Identifier: Apache-2.0
package ext4.core.mount;

import ext4.api.fs.Errno;
import ext4.api.fs.ErrnoException;
import ext4.api.fs.Ext4Exception;
import ext4.api.journal.HandleKind;
import ext4.core.alloc.BlockAllocator;
import ext4.core.alloc.GroupTable;
import ext4.core.alloc.InodeBitmaps;
import ext4.core.alloc.PendingRelease;
import ext4.core.alloc.SpaceRetry;
import ext4.core.extent.FileMap;
import ext4.core.file.Engine;
import ext4.core.file.Evict;
import ext4.core.file.FileVerbs;
import ext4.core.inode.InodeAllocator;
import ext4.core.inode.InodeCache;
import ext4.core.inode.InodeStore;
import ext4.core.inode.Pins;
import ext4.core.inode.StripedEvictor;
import ext4.core.volume.Volume;
import ext4.core.xattr.Xattrs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the parts of a filesystem together. */
final class Assembly {
    private static final Logger LOG = LoggerFactory.getLogger(Assembly.class);
    private static final int MAX_EVICTORS = 8;
    /** Part of the heap for inodes that nobody holds. */
    private static final int INODE_SHARE = 16;

    final Volume volume;
    final GroupTable groups;
    final PendingRelease pending;
    final InodeBitmaps bitmaps;
    final StripedEvictor evictor;
    final Engine engine;
    final Xattrs xattrs;
    final Evict evict;
    final FileVerbs files;

    Assembly(Volume volume) {
        this.volume = volume;
        groups = new GroupTable(volume);
        pending = new PendingRelease(groups);
        bitmaps = new InodeBitmaps(volume, groups);
        BlockAllocator blocks = new BlockAllocator(volume, groups, pending);
        InodeStore records = new InodeStore(volume, groups);
        Pins pins = new Pins(this::promiseEnded);
        long inodeBudget = Runtime.getRuntime().maxMemory() / INODE_SHARE;
        InodeCache inodes = new InodeCache(volume, records, pins, inodeBudget);
        InodeAllocator allocator = new InodeAllocator(volume, groups, bitmaps, records, inodes, pins);
        FileMap map = new FileMap(volume, groups, blocks, records);
        int processors = Math.clamp(Runtime.getRuntime().availableProcessors(), 2, MAX_EVICTORS);
        int threads = Math.min(groups.count(), processors);
        evictor =
                new StripedEvictor(volume.device().name(), threads, volume.layout()::groupOfInode, this::evictQuietly);
        SpaceRetry space = new SpaceRetry(volume, blocks, evictor::await);
        engine = new Engine(volume, groups, blocks, space, inodes, records, allocator, map, pins, evictor);
        xattrs = new Xattrs(volume, records, blocks);
        evict = new Evict(engine, xattrs);
        files = new FileVerbs(engine, xattrs);
    }

    /** The last pin that was taken over for another inode than the one that has its number now: that can be used again. */
    private void promiseEnded(int ino) {
        engine.inodes().promiseEnded(ino);
        bitmaps.mayTakeAgain(ino);
    }

    /** In an evictor's thread, or behind a verb that is done: nobody waits for this inode, so what goes wrong is told here. */
    private void evictQuietly(int ino) {
        try {
            evict.evict(ino, HandleKind.EVICT);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EIO && volume.journalDetached()) {
                evictor.evict(ino); // when there is a journal again
            } else if (e.errno() != Errno.EROFS) {
                LOG.error("{}: inode {} is not freed: {}", volume.device().name(), ino, e.getMessage());
            }
        } catch (Ext4Exception e) {
            volume.errors().changing("evict", ino, e);
            LOG.error("{}: inode {} is not freed", volume.device().name(), ino, e);
        } catch (RuntimeException e) {
            LOG.error(
                    "{}: inode {} is not freed: a mistake of this program",
                    volume.device().name(),
                    ino,
                    e);
        }
    }
}
