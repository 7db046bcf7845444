// SPDX-License-Identifier: Apache-2.0
package ext4.image;

/**
 * How a tree is copied. Content is always copied with its holes.
 *
 * @param recursive whether directories are copied; symbolic links in them are copied as links
 * @param archive whether all is kept that the target can keep: owners, modes, times to the nanosecond, extended attributes
 *     with ACLs, hard links among the files copied. Otherwise files belong to who copies and have the source's permissions
 *     less {@code umask}
 * @param followTop whether the file named is followed if it is a symbolic link
 * @param umask permission bits that are left out if not {@code archive}
 */
public record Copying(boolean recursive, boolean archive, boolean followTop, int umask) {
    private static final int USUAL_UMASK = 022;

    /** As {@code cp -a}. */
    public static final Copying ARCHIVE = new Copying(true, true, false, 0);
    /** As {@code cp -r}. */
    public static final Copying RECURSIVE = new Copying(true, false, false, USUAL_UMASK);
    /** As {@code cp}: one file. */
    public static final Copying FILE = new Copying(false, false, true, USUAL_UMASK);

    /** The same with this umask. */
    public Copying withUmask(int mask) {
        return new Copying(recursive, archive, followTop, mask);
    }
}
