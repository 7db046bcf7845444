// SPDX-License-Identifier: Apache-2.0
package ext4.orphan.template;

import ext4.api.journal.Handle;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStore;
import java.util.List;

/**
 * The chain that begins in the superblock, each member's record naming the next. On disk it can be followed in one direction
 * only, so its order is kept in memory: taking one out needs its neighbours.
 */
final class Chain {
    private final OrphanStore store;
    private Member newest; // guarded by this

    Chain(OrphanStore store) {
        this.store = store;
    }

    /** At attach: {@code member} comes after all that were there before it. */
    synchronized Member append(Member last, Member member) {
        member.where = OrphanPlace.Where.CHAIN;
        member.newer = last;
        if (last == null) {
            newest = member;
        } else {
            last.older = member;
        }
        return member;
    }

    /** Puts the member in front, two blocks: its own link first, then the head that leads to it. */
    synchronized void push(Handle handle, Member member) {
        store.link(handle, member.ino, newest == null ? 0 : newest.ino);
        store.chainHead(handle, member.ino);
        member.where = OrphanPlace.Where.CHAIN;
        member.older = newest;
        if (newest != null) {
            newest.newer = member;
        }
        newest = member;
    }

    /** Takes the member out, two blocks: whoever led to it, and its own link, which the core finds 0 again. */
    synchronized void take(Handle handle, Member member, boolean write) {
        if (member.newer == null) {
            newest = member.older;
        } else {
            member.newer.older = member.older;
        }
        if (member.older != null) {
            member.older.newer = member.newer;
        }
        if (!write) {
            return;
        }
        int next = member.older == null ? 0 : member.older.ino;
        if (member.newer == null) {
            store.chainHead(handle, next);
        } else {
            store.link(handle, member.newer.ino, next);
        }
        store.link(handle, member.ino, 0);
    }

    /** Adds its members to a list, newest first. */
    synchronized void list(List<OrphanPlace> places) {
        for (Member member = newest; member != null; member = member.older) {
            places.add(member.place());
        }
    }
}
