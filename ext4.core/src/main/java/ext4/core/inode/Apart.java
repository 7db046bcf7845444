// SPDX-License-Identifier: Apache-2.0
package ext4.core.inode;

/**
 * Room before the fields of a subclass, so that what one thread writes there shares no cache line with an object made just
 * before, on which another thread works.
 */
abstract class Apart {
    @SuppressWarnings("unused")
    private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7;
}
