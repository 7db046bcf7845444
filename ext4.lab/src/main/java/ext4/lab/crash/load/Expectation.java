// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.load;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;

/**
 * What must be found after a crash: exactly the tree that some operation left, none older than what was promised and none
 * younger than what had begun; in it, contents that this tree, or a younger one that wrote in place, or an older one that
 * was not yet promised, had at that place. So neither another file's bytes nor those of a free block pass.
 */
public final class Expectation {
    private static final int SECTOR = 512;
    private static final int BLOCK = 1024;

    private final History history;
    private final int most;
    private final int least;
    private final int acknowledged;

    /**
     * @param acknowledged events that had happened when the last promise was made that must hold in the state: those it is
     *     made of, and flushes that follow
     */
    public Expectation(History history, int acknowledged) {
        this.history = history;
        this.acknowledged = acknowledged;
        most = history.most(acknowledged);
        least = history.least(acknowledged);
    }

    /**
     * Null if {@code found} is as it must be, else what is wrong.
     *
     * @param exact whether allocation is too: not if another repaired it
     */
    public String differs(Snapshot found, boolean exact) {
        String nearest = null;
        for (int number = most; number >= least; number--) {
            String difference = compare(found, number, exact);
            if (difference == null) {
                return null;
            }
            if (nearest == null || difference.length() < nearest.length()) {
                nearest = "not as after operation " + number + ": " + difference;
            }
        }
        return "the tree is none of those after operations " + least + " to " + most + "; " + nearest;
    }

    private String compare(Snapshot found, int number, boolean exact) {
        Map<String, Entry> expected = history.tree(number).entries();
        if (!expected.keySet().equals(found.entries().keySet())) {
            return names(found, expected);
        }
        int several = number < most ? history.several(number + 1) : 0;
        for (Map.Entry<String, Entry> each : found.entries().entrySet()) {
            Entry is = each.getValue();
            Entry must = expected.get(each.getKey());
            String difference = several != 0 && must.ino() == several
                    ? betweenTwo(is, must, history.tree(number + 1).ofIno(several))
                    : attributes(is, must, exact);
            if (difference == null && must.content() != null) {
                difference = content(is, number);
            }
            if (difference != null) {
                return each.getKey() + ": " + difference;
            }
        }
        return null;
    }

    private static String names(Snapshot found, Map<String, Entry> expected) {
        TreeSet<String> missing = new TreeSet<>(expected.keySet());
        missing.removeAll(found.entries().keySet());
        TreeSet<String> more = new TreeSet<>(found.entries().keySet());
        more.removeAll(expected.keySet());
        return "missing " + missing + ", too many " + more;
    }

    private static String attributes(Entry is, Entry must, boolean exact) {
        boolean same = is.sameFile(must)
                && is.kind().equals(must.kind())
                && is.size() == must.size()
                && (!exact || is.sectors() == must.sectors())
                && is.times().equals(must.times())
                && is.more().equals(must.more());
        return same ? null : "is " + is + ", must be " + must;
    }

    /** An operation of several transactions was interrupted: the size is between before and after. */
    private static String betweenTwo(Entry is, Entry before, Entry after) {
        long other = after == null ? before.size() : after.size();
        boolean good = is.sameFile(before)
                && is.kind().equals(before.kind())
                && is.size() >= Math.min(before.size(), other)
                && is.size() <= Math.max(before.size(), other);
        return good ? null : "is " + is + ", must be between " + before + " and " + after;
    }

    private String content(Entry is, int number) {
        byte[] bytes = is.content();
        if (bytes == null) {
            return "has no content to look at";
        }
        int low = history.content(acknowledged, is.ino());
        for (int at = 0; at < bytes.length; at += SECTOR) {
            int end = Math.min(bytes.length, at + SECTOR);
            if (!older(is, number, low, at, end) && !younger(is, Math.max(number, low), at, end)) {
                return "bytes " + at + " to " + end + " are none that were written there: " + text(bytes, at, end)
                        + " (contents from operation " + low + " on are good)";
            }
        }
        return null;
    }

    /** A younger tree's bytes there: it wrote in place, or zeroed behind its end. */
    private boolean younger(Entry is, int from, int at, int end) {
        for (int number = from; number <= most; number++) {
            Entry other = history.tree(number).ofIno(is.ino());
            if (other != null && other.sameFile(is) && matches(is.content(), other.content(), at, end, true)) {
                return true;
            }
        }
        return false;
    }

    /** An older tree's bytes there, if the file has had that place since. */
    private boolean older(Entry is, int from, int low, int at, int end) {
        for (int number = from - 1; number >= low; number--) {
            Entry other = history.tree(number).ofIno(is.ino());
            if (other == null || !other.sameFile(is) || other.content().length < end) {
                return false;
            }
            if (matches(is.content(), other.content(), at, end, false)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(byte[] is, byte[] other, int at, int end, boolean zeroBehind) {
        int there = Math.min(end, other.length);
        if (there < end) {
            int lastBlock = (other.length + BLOCK - 1) / BLOCK * BLOCK;
            if (!zeroBehind || end > lastBlock) {
                return false;
            }
        }
        if (there > at && !Arrays.equals(is, at, there, other, at, there)) {
            return false;
        }
        for (int i = Math.max(at, there); i < end; i++) {
            if (is[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static String text(byte[] bytes, int at, int end) {
        StringBuilder text = new StringBuilder();
        for (int i = at; i < Math.min(end, at + 24); i++) {
            text.append(String.format("%02x", bytes[i]));
        }
        return text.append("...").toString();
    }
}
