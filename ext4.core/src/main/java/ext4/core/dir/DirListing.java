// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

import ext4.format.FormatException;
import ext4.format.dir.DirBlock;
import ext4.format.dir.DirCookie;
import ext4.format.dir.DirEntry;
import ext4.format.hash.NameHash;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Lists a directory from a cookie on, a batch at a time.
 *
 * <p>On a filesystem with dir_index the order is that of {@link DirCookie}: by hash, for linear directories too, so a
 * cookie stays good when the directory gets its index or a leaf is split. An indexed directory is read leaf by leaf (a
 * leaf together with those that continue its last hash, so that ranks are whole). A linear one, or one whose index can't
 * be followed, is looked through entirely for each batch, of which the smallest entries are kept: the time grows with
 * the square of the length, but such a directory is longer than a block only if it was made without dir_index.
 *
 * <p>Without dir_index the cookie is the byte offset of the entry. No entry of a linear directory ever moves, so these
 * are stable too.
 *
 * <p>"." and ".." come first, with fixed cookies.
 */
public final class DirListing {
    /** Bounds the memory that an index full of leaves that continue each other can ask for. */
    private static final int LONGEST_RUN = 1 << 16;

    /** Entries after which an indexed directory's next leaf is left to the next listing. */
    private static final int ENOUGH_OF_LEAVES = 32;

    private final DirFile dir;
    private final int wanted;
    private final List<DirItem> items;
    private long last;
    private boolean atEnd;

    private DirListing(DirFile dir, long cookie, int wanted) {
        this.dir = dir;
        this.wanted = wanted;
        this.last = cookie;
        this.items = new ArrayList<>(Math.min(wanted, 256));
    }

    /**
     * The entries after {@code cookie} in order; about {@code wanted} of them, or fewer. Empty only at the end.
     */
    public static DirListing after(DirFile dir, long cookie, int wanted) {
        DirListing listing = new DirListing(dir, cookie, wanted);
        listing.fill();
        return listing;
    }

    /** The entries, each with its cookie. */
    public List<DirItem> items() {
        return items;
    }

    /** Whether there is nothing after {@link #items}. */
    public boolean isAtEnd() {
        return atEnd;
    }

    /** Leaves out what exceeds {@code most}; returns this. */
    public DirListing cutTo(int most) {
        if (items.size() > most) {
            items.subList(most, items.size()).clear();
            atEnd = false;
        }
        return this;
    }

    private void fill() {
        if (last < DirCookie.FIRST) {
            addDots();
        }
        if (!dir.format().dirIndex()) {
            byOffset();
            return;
        }
        if (HtreePath.applies(dir)) {
            int before = items.size();
            try {
                indexed(HtreePath.open(dir));
                return;
            } catch (BadIndexException e) {
                dir.indexUnusable(e.evidence());
                // read on without the index: what it had yielded is found again, in the same order
                items.subList(before, items.size()).clear();
                atEnd = false;
            }
        }
        linear();
    }

    private void addDots() {
        if (last < DirCookie.DOT) {
            items.add(new DirItem(DirCookie.DOT, dir.ino(), dir.format().fileType(0x4000), new byte[] {'.'}));
        }
        if (last < DirCookie.DOT_DOT) {
            items.add(new DirItem(
                    DirCookie.DOT_DOT, DirChange.parent(dir), dir.format().fileType(0x4000), new byte[] {'.', '.'}));
        }
        last = DirCookie.DOT_DOT;
    }

    /** Takes what a selection found; false if more must be selected from the same blocks. */
    private boolean take(Selection found, long fromOrder, int rankOfFirst, long after) {
        int rank = 0;
        long before = -1;
        for (int i = 0; i < found.size(); i++) {
            long order = found.order(i);
            rank = order == before ? rank + 1 : order == fromOrder ? rankOfFirst : 0;
            before = order;
            long cookie = cookie(order, rank);
            if (cookie > after) {
                items.add(found.item(i, cookie));
            }
        }
        return found.isComplete();
    }

    private long cookie(long order, int rank) {
        if (rank > DirCookie.MAX_RANK) {
            throw BadDirectory.of(dir, 0, "directory", "names of one hash", "" + rank, "at most " + DirCookie.MAX_RANK);
        }
        // order holds 31 bits of the hash and 12 of the minor hash, as the cookie does
        return DirCookie.pack((int) (order >>> 12) << 1, (int) (order & 0xFFF) << 20, rank);
    }

    private long orderOf(long cookie) {
        return DirCookie.isEntry(cookie) ? DirCookie.order(DirCookie.hash(cookie), DirCookie.minor(cookie)) : 0;
    }

    private void indexed(HtreePath path) throws BadIndexException {
        if (last > DirCookie.DOT_DOT && !DirCookie.isEntry(last)) {
            atEnd = true;
            return;
        }
        path.seek(last < DirCookie.FIRST ? 0 : DirCookie.hash(last));
        long after = last;
        long fromOrder = orderOf(after);
        // Leaf by leaf: what is listed beyond what the caller takes is listed again for the next one.
        int enough = Math.min(wanted, ENOUGH_OF_LEAVES);
        boolean more = true;
        while (more && items.size() < enough) {
            more = bucketRun(path, fromOrder, after);
            fromOrder = 0;
        }
        atEnd = !more;
    }

    /** Lists the path's leaf with those that continue it and goes to the leaf after them; false at the end. */
    private boolean bucketRun(HtreePath path, long fromOrder, long after) throws BadIndexException {
        NameHash nameHash = path.nameHash();
        Selection found = new Selection(dir, nameHash, fromOrder, null, LONGEST_RUN);
        BitSet seen = new BitSet();
        boolean continued;
        boolean more;
        do {
            long lowest = path.hash() & ~1L;
            long next = path.nextHash();
            continued = next != HtreePath.END && (next & 1) != 0;
            if (seen.get(path.leaf())) {
                throw BadIndexException.of(dir, path.bottomLblk(), "block of a slot", path.leaf(), "one not met yet");
            }
            seen.set(path.leaf());
            found.scan(path.leafBytes(), path.leaf(), lowest, continued ? next + 1 : next);
            more = path.next();
        } while (more && continued);
        found.finish();
        if (!take(found, fromOrder, 0, after)) {
            throw BadIndexException.of(dir, 0, "entries of leaves that continue each other", found.size(), "fewer");
        }
        return more;
    }

    private void linear() {
        long fromOrder = orderOf(last);
        if (last > DirCookie.DOT_DOT && !DirCookie.isEntry(last)) {
            atEnd = true;
            return;
        }
        byte[] afterName = null;
        int rank = 0;
        long after = last;
        int blocks = dir.blocks();
        int before = items.size();
        while (true) {
            Selection found = new Selection(dir, linearHash(), fromOrder, afterName, wanted);
            selectAll(found, blocks);
            found.finish();
            boolean complete = take(found, fromOrder, rank, after);
            if (complete || items.size() > before) {
                atEnd = complete;
                return;
            }
            // all that was found has the cookie's hash and a lower rank: go on behind it
            rank += found.size();
            afterName = found.name(found.size() - 1);
        }
    }

    /** The hash of the index even if its slots are broken, so that cookies stay good. */
    private NameHash linearHash() {
        if (HtreePath.applies(dir)) {
            try {
                return HtreePath.open(dir).nameHash();
            } catch (BadIndexException e) {
                return dir.format().defaultHash();
            }
        }
        return dir.format().defaultHash();
    }

    private void selectAll(Selection found, int blocks) {
        try {
            for (int lblk = 0; lblk < blocks; lblk++) {
                found.scan(dir.read(lblk), lblk, 0, HtreePath.END);
            }
        } catch (BadIndexException e) {
            throw e.evidence();
        }
    }

    private void byOffset() {
        int blockSize = dir.format().blockSize();
        long from = Math.max(0, last - DirCookie.FIRST + 1);
        int blocks = dir.blocks();
        try {
            for (long lblk = from / blockSize; lblk < blocks; lblk++) {
                if (items.size() >= wanted) {
                    return;
                }
                offsetsOf((int) lblk, lblk * blockSize, from);
            }
        } catch (FormatException e) {
            throw BadDirectory.of(dir, e);
        }
        atEnd = true;
    }

    private void offsetsOf(int lblk, long base, long from) throws FormatException {
        byte[] b = dir.read(lblk);
        int end = dir.format().entriesEnd(b);
        for (int at = DirBlock.firstUsed(b, 0, end, lblk);
                at < end;
                at = DirBlock.firstUsed(b, at + DirEntry.recLen(b, at), end, lblk)) {
            if (base + at >= from && !DirEntry.isDot(b, at) && !DirEntry.isDotDot(b, at)) {
                items.add(new DirItem(
                        DirCookie.FIRST + base + at,
                        DirEntry.inode(b, at),
                        DirEntry.fileType(b, at),
                        DirEntry.name(b, at)));
            }
        }
    }
}
