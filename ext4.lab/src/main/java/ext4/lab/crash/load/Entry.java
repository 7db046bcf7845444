// SPDX-License-Identifier: Apache-2.0
package ext4.lab.crash.load;

import ext4.api.fs.Attributes;
import java.util.Arrays;

/**
 * What a name stands for.
 *
 * @param kind type, permissions, owner, links, as text
 * @param times modification, change and creation, as text
 * @param more xattrs, target of a link
 * @param content of a regular file that is not too large to be looked at, else null
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content, and never changed
record Entry(int ino, int generation, String kind, long size, long sectors, String times, String more, byte[] content) {
    static Entry of(Attributes a, String more, byte[] content) {
        return new Entry(
                a.ino,
                a.generation,
                Integer.toOctalString(a.mode) + " " + a.uid + ":" + a.gid + " links " + a.nlink,
                a.size,
                a.sectors,
                "m " + a.mtime + "." + a.mtimeNanos + " c " + a.ctime + "." + a.ctimeNanos + " cr " + a.crtime + "."
                        + a.crtimeNanos,
                more,
                content);
    }

    boolean sameFile(Entry other) {
        return ino == other.ino && generation == other.generation;
    }

    boolean same(Entry other) {
        return sameAttributes(other) && Arrays.equals(content, other.content);
    }

    private boolean sameAttributes(Entry other) {
        return sameFile(other)
                && kind.equals(other.kind)
                && size == other.size
                && sectors == other.sectors
                && times.equals(other.times)
                && more.equals(other.more);
    }

    /** Whether size or blocks differ so that fdatasync(2) must see to it; a block of xattrs is none of its concern. */
    boolean isMappedOtherThan(Entry other) {
        return size != other.size || sectors != other.sectors && more.equals(other.more);
    }

    /** The same with that content, which is equal to its own. */
    Entry sharing(byte[] equal) {
        return new Entry(ino, generation, kind, size, sectors, times, more, equal);
    }

    @Override
    public String toString() {
        return "ino " + ino + " gen " + Integer.toHexString(generation) + " " + kind + " size " + size + " sectors "
                + sectors + " " + times + " " + more;
    }
}
