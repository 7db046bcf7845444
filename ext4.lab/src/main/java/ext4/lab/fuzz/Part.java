// SPDX-License-Identifier: Apache-2.0
package ext4.lab.fuzz;

import ext4.format.fields.Field;
import java.util.List;

/**
 * One structure of an image, all of it in one block.
 *
 * @param kind what it belongs to
 * @param name by which a change refers to it, for example {@code inode 12} or {@code extents 12/3}
 * @param pblk its block
 * @param at where it begins in the block
 * @param length bytes
 * @param fields its numbers
 * @param seal makes its checksums anew
 */
record Part(Kind kind, String name, long pblk, int at, int length, List<Field> fields, Seal seal) {
    /** Kinds of structures, among which a change chooses first. */
    enum Kind {
        SUPERBLOCK,
        DESCRIPTOR,
        BITMAP,
        INODE,
        EXTENTS,
        BLOCK_MAP,
        DIRECTORY,
        INDEX,
        XATTR,
        ORPHANS,
        JOURNAL,
        LOG
    }

    /** Makes the checksums of a structure that was changed anew, as they would be if it were right. */
    @FunctionalInterface
    interface Seal {
        /** For structures without one. */
        Seal NONE = canvas -> {};

        void on(Canvas canvas);
    }

    /** The field of that name, or null. */
    Field field(String wanted) {
        return fields.stream().filter(f -> f.name().equals(wanted)).findFirst().orElse(null);
    }
}
