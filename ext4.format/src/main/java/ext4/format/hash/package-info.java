// SPDX-License-Identifier: Apache-2.0
/**
 * The hash functions that order names in an indexed directory.
 *
 * <p>A hash version is 0 legacy, 1 half MD4, 2 TEA, and 3, 4, 5 the same with name bytes taken as unsigned. On disk an
 * index root holds 0 to 2 and the superblock flag "unsigned directory hash" selects the second triple. Version 6
 * (SipHash, for encrypted and case-folded names) is not computed here.
 *
 * <p>Source of the rules: kernel documentation, {@code filesystems/ext4/directory.rst}, "Hash Tree Directories".
 */
package ext4.format.hash;
