// SPDX-License-Identifier: Apache-2.0
package ext4.core.cache;

/** A part of the cache: a chained hash table and a list by last use. Every method takes the monitor. */
final class CacheStripe {
    private static final int EVICT_LOOKS = 8;

    private final int share;

    // guarded by this
    private CachedBlock[] table = new CachedBlock[16];
    // guarded by this
    private int count;
    // guarded by this; the ends of the list by last use
    private CachedBlock newest;
    // guarded by this
    private CachedBlock oldest;

    // Keeps the fields of two stripes that lie side by side out of one cache line.
    @SuppressWarnings("unused")
    private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7;

    /** @param share blocks to keep */
    CacheStripe(int share) {
        this.share = share;
    }

    /** The block, pinned once more, or null. */
    synchronized CachedBlock find(long pblk) {
        CachedBlock block = lookupLocked(pblk);
        if (block != null) {
            block.pin();
            touchLocked(block);
        }
        return block;
    }

    /** Puts {@code fresh} in, unless the number is there already; returns the one in the table, pinned once more. */
    synchronized CachedBlock insertIfAbsent(CachedBlock fresh) {
        CachedBlock block = lookupLocked(fresh.pblk);
        if (block != null) {
            block.pin();
            touchLocked(block);
            return block;
        }
        addLocked(fresh);
        return fresh;
    }

    /** Puts {@code fresh} in, pinned once, in the place of any other. */
    synchronized void replace(CachedBlock fresh) {
        CachedBlock old = lookupLocked(fresh.pblk);
        if (old != null) {
            removeLocked(old);
        }
        addLocked(fresh);
    }

    synchronized void remove(long pblk) {
        CachedBlock block = lookupLocked(pblk);
        if (block != null) {
            removeLocked(block);
        }
    }

    synchronized void remove(CachedBlock block) {
        if (lookupLocked(block.pblk) == block) {
            removeLocked(block);
        }
    }

    synchronized int count() {
        return count;
    }

    private CachedBlock lookupLocked(long pblk) {
        CachedBlock block = table[slot(pblk)];
        while (block != null && block.pblk != pblk) {
            block = block.chain;
        }
        return block;
    }

    private void addLocked(CachedBlock block) {
        evictLocked();
        if (count >= table.length) {
            growLocked();
        }
        block.pin();
        int slot = slot(block.pblk);
        block.chain = table[slot];
        table[slot] = block;
        count++;
        linkLocked(block);
    }

    /** Looks at no more than a few blocks, so that a stripe full of pinned ones costs little; the next call goes on. */
    private void evictLocked() {
        CachedBlock candidate = oldest;
        for (int looked = 0; count >= share && candidate != null && looked < EVICT_LOOKS; looked++) {
            CachedBlock next = candidate.newer;
            if (candidate.pinned()) {
                touchLocked(candidate);
            } else {
                removeLocked(candidate);
                candidate.evicted();
            }
            candidate = next;
        }
    }

    private void removeLocked(CachedBlock block) {
        int slot = slot(block.pblk);
        if (table[slot] == block) {
            table[slot] = block.chain;
        } else {
            CachedBlock before = table[slot];
            while (before.chain != block) {
                before = before.chain;
            }
            before.chain = block.chain;
        }
        block.chain = null;
        count--;
        unlinkLocked(block);
    }

    private void touchLocked(CachedBlock block) {
        if (block != newest) {
            unlinkLocked(block);
            linkLocked(block);
        }
    }

    private void linkLocked(CachedBlock block) {
        block.older = newest;
        if (newest != null) {
            newest.newer = block;
        } else {
            oldest = block;
        }
        newest = block;
    }

    private void unlinkLocked(CachedBlock block) {
        if (block.newer != null) {
            block.newer.older = block.older;
        } else {
            newest = block.older;
        }
        if (block.older != null) {
            block.older.newer = block.newer;
        } else {
            oldest = block.newer;
        }
        block.newer = null;
        block.older = null;
    }

    private void growLocked() {
        CachedBlock[] old = table;
        table = new CachedBlock[old.length * 2];
        for (CachedBlock head : old) {
            CachedBlock block = head;
            while (block != null) {
                CachedBlock next = block.chain;
                int slot = slot(block.pblk);
                block.chain = table[slot];
                table[slot] = block;
                block = next;
            }
        }
    }

    private int slot(long pblk) {
        return (int) (pblk * 0x9E3779B97F4A7C15L >>> 24) & table.length - 1;
    }
}
