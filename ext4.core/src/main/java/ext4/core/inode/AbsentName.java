// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

import java.util.Arrays;

/**
 * A name that a lookup did not find in a directory, and where there is room for it: open(2) with O_CREAT is a lookup and then
 * the request to make the file, and the second need not search again.
 *
 * @param name which nobody changes any more
 * @param changes {@link Inode#contentChangeCount} of the directory when it was searched
 * @param lblk block with room for the name, -1 if none was met
 * @param offset byte of that block
 */
@SuppressWarnings("ArrayRecordComponent")
public record AbsentName(byte[] name, long changes, int lblk, int offset) {
    /** Whether this is about {@code wanted}, and the directory did not change since. */
    public boolean holds(byte[] wanted, long changeCount) {
        return changes == changeCount && Arrays.equals(name, wanted);
    }
}
