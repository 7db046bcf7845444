// SPDX-License-Identifier: Apache-2.0
/**
 * The orphan list: inodes whose deletion or truncation a crash must not interrupt half-way.
 *
 * <p>{@code ino} is an unsigned 32-bit inode number carried in an {@code int}. Placement on disk (chain through
 * {@code i_dtime}, slots of the orphan file) belongs to a strategy; recovery at mount belongs to the core.
 */
@Export
@Version("1.1.0")
package ext4.api.orphan;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
