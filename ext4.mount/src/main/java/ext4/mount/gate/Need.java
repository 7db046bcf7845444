// SPDX-License-Identifier: Apache-2.0
package ext4.mount.gate;

/** What a verb needs to run: the rows of the table of verbs fall into these few classes, which the gate counts apart. */
public enum Need {
    /** Reads only. */
    READ(Part.CORE),
    /** Opens a handle, but never touches the orphan list. */
    CHANGE(Part.CORE, Part.JOURNAL),
    /** May put an inode on the orphan list or take one off. */
    ORPHAN(Part.CORE, Part.JOURNAL, Part.ORPHANS);

    /** This class's bit in a set of classes. */
    final int bit = 1 << ordinal();

    private final int parts;

    Need(Part... needed) {
        int set = 0;
        for (Part part : needed) {
            set |= 1 << part.ordinal();
        }
        parts = set;
    }

    /** Whether requests of this class can't run without {@code part}. */
    public boolean needs(Part part) {
        return (parts & 1 << part.ordinal()) != 0;
    }
}
