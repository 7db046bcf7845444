// SPDX-License-Identifier: Apache-2.0
/**
 * Bytes and their meaning: every structure of an ext4 filesystem as pure functions over {@code byte[]}. No I/O, no
 * state, no locks; a class of static accessors a structure, or a small immutable type where parsing pays once a mount.
 *
 * <p>Conventions of this module:
 * <ul>
 *   <li>Everything of ext4 is little-endian ({@link ext4.format.Le}); only JBD2 is big-endian.
 *   <li>{@code int ino} is an unsigned 32-bit inode number, {@code int lblk} an unsigned 32-bit logical block of a file,
 *       {@code long pblk} a physical block (48 bits on disk), {@code int group} a block group (below 2^29).
 *       Compare {@code ino} and {@code lblk} with {@link java.lang.Integer#compareUnsigned}.
 *   <li>{@code (byte[] b, int off)} is the array and the byte where the structure begins. Whole-block structures
 *       (bitmaps, orphan-file blocks) begin at byte 0 of an array that is at least one block long.
 *   <li>Accessors do not check: what an untrusted image can lie about is checked once, when a block enters memory, by
 *       the {@code check…} or {@code parse} function of its structure, which throws {@link ext4.format.FormatException}
 *       with the evidence. After that no accessor leaves the array.
 *   <li>{@code seal…} stores a checksum, {@code verify…} compares one. Both do the right thing (nothing, or true) on a
 *       filesystem without that checksum, and neither changes other bytes, so verify may run beside readers.
 *   <li>Writes are plain stores: the caller holds the lock of the buffer (for inode records: the record lock).
 * </ul>
 *
 * <p>The field offsets follow the kernel's documentation, Documentation/filesystems/ext4.
 */
package ext4.format;
