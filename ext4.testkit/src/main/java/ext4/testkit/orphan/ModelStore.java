// SPDX-License-Identifier: Apache-2.0
package ext4.testkit.orphan;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An orphan store in memory that checks what a list may do: links are written only for pinned inodes, inside a handle
 * that is open, and pins are given back. Thread-safe by one monitor.
 */
public final class ModelStore implements OrphanStore {
    private final int slotsPerBlock;
    private final int[] slots;
    private final Map<Integer, Integer> links = new HashMap<>();
    private final Map<Integer, Integer> pins = new HashMap<>();
    private int head;
    private boolean persistent = true;
    private long writes;

    /** A store with an orphan file of that many blocks; 0 for none. */
    public ModelStore(int fileBlocks, int slotsPerBlock) {
        this.slotsPerBlock = slotsPerBlock;
        slots = new int[fileBlocks * slotsPerBlock];
    }

    /** Without a journal, or after an abort: nothing may be written. */
    public synchronized void persistent(boolean value) {
        persistent = value;
    }

    @Override
    public synchronized boolean persistent() {
        return persistent;
    }

    @Override
    public int inodesCount() {
        return Integer.MAX_VALUE;
    }

    @Override
    public synchronized int chainHead() {
        return head;
    }

    @Override
    public synchronized void chainHead(Handle handle, int ino) {
        write(handle);
        head = ino;
    }

    @Override
    public synchronized int link(int ino) {
        return links.getOrDefault(ino, 0);
    }

    @Override
    public synchronized void link(Handle handle, int ino, int next) {
        write(handle);
        if (!pins.containsKey(ino)) {
            throw new AssertionError("link of inode " + ino + " written without a pin: it could wait for the device");
        }
        links.put(ino, next);
    }

    /** For the test in the core's part: i_dtime outside add and remove. */
    public synchronized void coreWrites(int ino, int value) {
        links.put(ino, value);
    }

    @Override
    public synchronized void pin(int ino) {
        pins.merge(ino, 1, Integer::sum);
    }

    @Override
    public synchronized void unpin(int ino) {
        Integer left = pins.computeIfPresent(ino, (key, count) -> count - 1);
        if (left == null) {
            throw new AssertionError("inode " + ino + " unpinned more often than pinned");
        }
        if (left == 0) {
            pins.remove(ino);
        }
    }

    @Override
    public int fileBlocks() {
        return slots.length / Math.max(1, slotsPerBlock);
    }

    @Override
    public int slotsPerBlock() {
        return slotsPerBlock;
    }

    @Override
    public synchronized int slot(int block, int index) {
        return slots[block * slotsPerBlock + index];
    }

    @Override
    public synchronized void slot(Handle handle, int block, int index, int ino) {
        write(handle);
        int at = block * slotsPerBlock + index;
        if (ino != 0 && slots[at] != 0) {
            throw new AssertionError("slot " + at + " overwritten: " + slots[at] + " by " + ino);
        }
        slots[at] = ino;
    }

    private void write(Handle handle) {
        if (!persistent) {
            throw new AssertionError("written although nothing may be written");
        }
        ((ModelHandle) handle).spend();
        writes++;
    }

    /** Pins that are held, by inode. */
    public synchronized Set<Integer> pinned() {
        return Set.copyOf(pins.keySet());
    }

    /** Writes so far. */
    public synchronized long writes() {
        return writes;
    }

    /** The chain as recovery would walk it; fails on a cycle. */
    public synchronized List<Integer> chain() {
        Set<Integer> seen = new LinkedHashSet<>();
        for (int ino = head; ino != 0; ino = link(ino)) {
            if (!seen.add(ino)) {
                throw new AssertionError("the chain is cyclic at inode " + ino + ": " + seen);
            }
        }
        return new ArrayList<>(seen);
    }

    /** What recovery would find, chain and slots; fails if an inode stands twice. */
    public synchronized Set<Integer> recorded() {
        Set<Integer> all = new LinkedHashSet<>(chain());
        for (int ino : slots) {
            if (ino != 0 && !all.add(ino)) {
                throw new AssertionError("inode " + ino + " is recorded twice");
            }
        }
        return all;
    }
}
