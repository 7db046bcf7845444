// SPDX-License-Identifier: Apache-2.0
/**
 * The numbers of the structures on disk, by name ({@link ext4.format.fields.Fields}). A filesystem at work has no use for
 * them: it reads structures by the classes of the other packages.
 *
 * <p>Source: Documentation/filesystems/ext4, super.rst, group_descr.rst, inodes.rst, ifork.rst, directory.rst,
 * attributes.rst, orphan.rst and journal.rst.
 */
package ext4.format.fields;
