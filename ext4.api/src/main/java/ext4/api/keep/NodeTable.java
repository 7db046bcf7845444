// SPDX-License-Identifier: Apache-2.0
package ext4.api.keep;

import ext4.api.fs.PinnedInodes;
import org.osgi.annotation.versioning.ProviderType;

/**
 * How often the operating system was handed each inode, and of which generation it was, in memory that outlives this
 * process. A count is raised before the reply that names the inode and lowered after the work of giving it back, so it can
 * only be too high. Any thread; no lock.
 */
@ProviderType
public interface NodeTable {
    /** The inode is about to be named once more. Its caller has it pinned, so its number is of no other generation. */
    void raise(int ino, int generation);

    /** It was given back {@code count} times; more than it was named count as all. */
    void lower(int ino, long count);

    /** All that are known; links are not: the core looks at the inodes. While nobody changes it. */
    PinnedInodes pinned();
}
