// SPDX-License-Identifier: Apache-2.0
package ext4.core.dir;

import ext4.api.fs.CorruptException;
import ext4.format.FormatException;

/** Makes the corrupt kind of error from the evidence about a directory. */
final class BadDirectory {
    private BadDirectory() {}

    /** {@code e} names the directory's own block; a physical one is not at hand. */
    static CorruptException of(DirFile dir, FormatException e) {
        return of(dir, e.block(), e.structure(), e.field(), e.found(), e.expected());
    }

    static CorruptException of(DirFile dir, long lblk, String structure, String field, String found, String expected) {
        String where = "directory " + Integer.toUnsignedString(dir.ino()) + ", logical block " + lblk + ", ";
        return new CorruptException(where + structure, -1, field, found, expected);
    }
}
