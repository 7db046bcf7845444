// SPDX-License-Identifier: Apache-2.0
/**
 * The filesystem by inode number: the verbs that a transport (FUSE) or a program in the same process calls.
 *
 * <p>{@code ino} is an unsigned 32-bit inode number carried in an {@code int}; the root is inode 2. Names are bytes
 * without NUL and {@code /}, as on disk. Failures are {@link ext4.api.fs.Ext4Exception}s of three kinds, or an
 * {@link ext4.api.fs.ErrnoException} for an outcome that a system call reports in the ordinary course.
 */
@Export
@Version("1.3.0")
package ext4.api.fs;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
