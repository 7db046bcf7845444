// SPDX-License-Identifier: Apache-2.0
package ext4.orphan.template;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The list of one filesystem. What a list of yours must keep is said by {@link OrphanList} and tried by the contract test;
 * the places marked <b>rule</b> here are those that are easily missed.
 *
 * <p>Lock order: inode lock and handle (the caller's), then one file block's or the chain's monitor, then what the store
 * takes. Never two monitors at once.
 */
final class TemplateOrphanList implements OrphanList {
    /** Blocks that one change touches at most: one slot, or two links (or head and link) of the chain. */
    private static final int CREDITS_PER_CHANGE = 2;

    /** Neighbouring threads should begin in blocks that are not neighbours; the kernel spreads processors by this too. */
    private static final int SPREAD = 13;

    private final OrphanStore store;
    private final ConcurrentMap<Integer, Member> members = new ConcurrentHashMap<>();
    private final FileBlock[] file;
    private final Chain chain;
    private final LongAdder unwritten = new LongAdder();
    private final LongAdder diskChanges = new LongAdder();

    TemplateOrphanList(OrphanStore store, List<OrphanPlace> present) {
        this.store = store;
        this.chain = new Chain(store);
        this.file = new FileBlock[store.fileBlocks()];
        for (int i = 0; i < file.length; i++) {
            file[i] = new FileBlock(store, i);
        }
        Member last = null;
        for (OrphanPlace place : present) {
            Member member = new Member(place.ino());
            if (members.put(place.ino(), member) != null) {
                throw new IllegalArgumentException(
                        "orphan " + Integer.toUnsignedString(place.ino()) + " is listed twice");
            }
            switch (place.where()) {
                case CHAIN -> last = chain.append(last, member);
                case SLOT -> file[place.block()].found(member, place.slot());
                case NOWHERE -> unwritten.add(store.persistent() ? 1 : 0);
            }
        }
        pinAll();
    }

    /** Rule: a refused attach leaves nothing behind, so pins come last and are given back if one of them fails. */
    private void pinAll() {
        try {
            members.values().forEach(this::pin);
        } catch (RuntimeException e) {
            detach();
            throw e;
        }
    }

    /** Rule: closing and links must never wait for the device, so each record that may be written stays in memory. */
    private void pin(Member member) {
        if (store.persistent()) {
            store.pin(member.ino);
            member.pinned = true;
        }
    }

    @Override
    public int credits(int changes) {
        return CREDITS_PER_CHANGE * changes;
    }

    @Override
    public void add(Handle handle, int ino) {
        if (members.containsKey(ino)) {
            return; // rule: adding twice does nothing
        }
        Member member = new Member(ino);
        pin(member);
        if (member.pinned) { // rule: without a journal, and after an abort, memory alone changes
            place(handle, member);
        }
        members.put(ino, member);
    }

    /** A slot of the block that this thread begins with, else of one after it, else the chain. */
    private void place(Handle handle, Member member) {
        int start = (int) (Thread.currentThread().threadId() * SPREAD % Math.max(1, file.length));
        for (int i = 0; i < file.length; i++) {
            if (file[(start + i) % file.length].put(handle, member)) {
                diskChanges.increment();
                return;
            }
        }
        chain.push(handle, member);
        diskChanges.add(2);
    }

    @Override
    public void remove(Handle handle, int ino) {
        Member member = members.remove(ino);
        if (member == null) {
            return; // rule: removing what isn't listed does nothing
        }
        boolean write = store.persistent();
        switch (member.where) {
            case SLOT -> {
                file[member.block].clear(handle, member, write);
                diskChanges.add(write ? 1 : 0);
            }
            case CHAIN -> {
                chain.take(handle, member, write);
                diskChanges.add(write ? 2 : 0);
            }
            case NOWHERE -> unwritten.add(member.pinned ? -1 : 0);
        }
        unpin(member);
    }

    /** Rule: what came in memory only, from a list that could not write, is put on disk with the next transaction. */
    @Override
    public void closing(Handle handle) {
        if (!pending()) {
            return;
        }
        for (Member member : members.values()) {
            if (member.where == OrphanPlace.Where.NOWHERE) {
                place(handle, member);
            }
        }
        unwritten.reset();
    }

    @Override
    public boolean pending() {
        return unwritten.sum() > 0 && store.persistent();
    }

    /** Rule: the chain's members in the chain's order, for the next list keeps that order. */
    @Override
    public List<OrphanPlace> present() {
        List<OrphanPlace> places = new ArrayList<>();
        chain.list(places);
        for (Member member : members.values()) {
            if (member.where != OrphanPlace.Where.CHAIN) {
                places.add(member.place());
            }
        }
        return places;
    }

    @Override
    public long size() {
        return members.size();
    }

    @Override
    public long diskChanges() {
        return diskChanges.sum();
    }

    /** Rule: gives back every pin, writes nothing, cannot fail. */
    @Override
    public void detach() {
        members.values().forEach(this::unpin);
        members.clear();
    }

    private void unpin(Member member) {
        if (member.pinned) {
            member.pinned = false;
            store.unpin(member.ino);
        }
    }
}
