// SPDX-License-Identifier: Apache-2.0
package ext4.orphan.global;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * The chain of orphans under one mutex. Every add and remove takes the mutex before it looks whether the inode is
 * listed, with or without a journal, and changes the disk at once: the superblock's head, its own record and its
 * neighbour's. That is the behaviour whose cost this strategy exists to show, so nothing here is made clever.
 *
 * <p>Entries of the orphan file that it finds when it is attached stay in their slots until they are removed; what it
 * adds goes to the chain.
 *
 * <p>Lock order: the mutex is taken with inode locks and a handle held; inside it only record locks are taken.
 */
final class GlobalOrphanList implements OrphanList {
    /** Superblock (head), own record (link), predecessor's record (link). */
    private static final int CREDITS_PER_CHANGE = 3;

    private final OrphanStore store;
    private final ReentrantLock mutex = new ReentrantLock();
    /** Set before the list is at work. */
    private LongConsumer waits = nanos -> {};

    private final Map<Integer, Member> members = new HashMap<>(); // guarded by mutex
    private Member first; // guarded by mutex: newest member of the chain
    private int unwritten; // guarded by mutex: members that an earlier owner left in memory only
    private volatile long size; // written under mutex
    private final LongAdder diskChanges = new LongAdder();

    private static final class Member {
        final int ino;
        OrphanPlace.Where where;
        int block = -1;
        int slot = -1;
        boolean pinned;
        Member newer;
        Member older;

        Member(int ino, OrphanPlace.Where where) {
            this.ino = ino;
            this.where = where;
        }
    }

    GlobalOrphanList(OrphanStore store, List<OrphanPlace> present) {
        this.store = store;
        boolean persistent = store.persistent();
        Member last = null;
        for (OrphanPlace place : present) {
            Member member = new Member(place.ino(), place.where());
            if (members.put(place.ino(), member) != null) {
                throw new IllegalArgumentException(
                        "orphan " + Integer.toUnsignedString(place.ino()) + " is listed twice");
            }
            switch (place.where()) {
                case CHAIN -> {
                    append(last, member);
                    last = member;
                }
                case SLOT -> {
                    member.block = place.block();
                    member.slot = place.slot();
                }
                case NOWHERE -> unwritten += persistent ? 1 : 0;
            }
        }
        pinAll(persistent);
        size = members.size();
    }

    private void append(Member last, Member member) {
        member.newer = last;
        if (last == null) {
            first = member;
        } else {
            last.older = member;
        }
    }

    /** Pins only after the list proved good, and gives the pins back if one fails: a refused attach leaves nothing. */
    private void pinAll(boolean persistent) {
        if (!persistent) {
            return;
        }
        try {
            for (Member member : members.values()) {
                store.pin(member.ino);
                member.pinned = true;
            }
        } catch (RuntimeException e) {
            detach();
            throw e;
        }
    }

    @Override
    public int credits(int changes) {
        return CREDITS_PER_CHANGE * changes;
    }

    @Override
    public void add(Handle handle, int ino) {
        lock();
        try {
            if (members.containsKey(ino)) {
                return;
            }
            Member member = new Member(ino, OrphanPlace.Where.NOWHERE);
            if (store.persistent()) {
                store.pin(ino);
                member.pinned = true;
                chain(handle, member);
            }
            members.put(ino, member);
            size = members.size();
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public void waits(LongConsumer nanos) {
        waits = nanos;
    }

    /** As {@code mutex.lock()}, which begins in the same way. */
    private void lock() {
        if (!mutex.tryLock()) {
            long begin = System.nanoTime();
            mutex.lock();
            waits.accept(System.nanoTime() - begin);
        }
    }

    private void chain(Handle handle, Member member) {
        store.link(handle, member.ino, first == null ? 0 : first.ino);
        store.chainHead(handle, member.ino);
        member.where = OrphanPlace.Where.CHAIN;
        member.older = first;
        if (first != null) {
            first.newer = member;
        }
        first = member;
        diskChanges.add(2);
    }

    @Override
    public void remove(Handle handle, int ino) {
        lock();
        try {
            Member member = members.remove(ino);
            if (member == null) {
                return;
            }
            size = members.size();
            boolean persistent = store.persistent();
            switch (member.where) {
                case CHAIN -> unchain(handle, member, persistent);
                case SLOT -> {
                    if (persistent) {
                        store.slot(handle, member.block, member.slot, 0);
                        diskChanges.increment();
                    }
                }
                case NOWHERE -> unwritten -= member.pinned && persistent ? 1 : 0;
            }
            if (member.pinned) {
                store.unpin(ino);
            }
        } finally {
            mutex.unlock();
        }
    }

    private void unchain(Handle handle, Member member, boolean persistent) {
        if (member.newer == null) {
            first = member.older;
        } else {
            member.newer.older = member.older;
        }
        if (member.older != null) {
            member.older.newer = member.newer;
        }
        if (persistent) {
            int next = member.older == null ? 0 : member.older.ino;
            if (member.newer == null) {
                store.chainHead(handle, next);
            } else {
                store.link(handle, member.newer.ino, next);
            }
            store.link(handle, member.ino, 0);
            diskChanges.add(2);
        }
    }

    @Override
    public void closing(Handle handle) {
        mutex.lock();
        try {
            if (unwritten == 0 || !store.persistent()) {
                return;
            }
            for (Member member : members.values()) {
                if (member.where == OrphanPlace.Where.NOWHERE) {
                    chain(handle, member);
                }
            }
            unwritten = 0;
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public boolean pending() {
        mutex.lock();
        try {
            return unwritten > 0 && store.persistent();
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public List<OrphanPlace> present() {
        mutex.lock();
        try {
            List<OrphanPlace> places = new ArrayList<>(members.size());
            for (Member member = first; member != null; member = member.older) {
                places.add(OrphanPlace.chain(member.ino));
            }
            for (Member member : members.values()) {
                switch (member.where) {
                    case CHAIN -> {} // listed above, in order
                    case SLOT -> places.add(OrphanPlace.slot(member.ino, member.block, member.slot));
                    case NOWHERE -> places.add(OrphanPlace.nowhere(member.ino));
                }
            }
            return places;
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public long diskChanges() {
        return diskChanges.sum();
    }

    @Override
    public void detach() {
        mutex.lock();
        try {
            for (Member member : members.values()) {
                if (member.pinned) {
                    store.unpin(member.ino);
                    member.pinned = false;
                }
            }
            members.clear();
            first = null;
        } finally {
            mutex.unlock();
        }
    }
}
