// SPDX-License-Identifier: Apache-2.0
/**
 * What keeps a mount point alive while the process that serves it is replaced, or after it died: somebody else, a
 * {@link ext4.api.keep.Keeper}, holds the descriptors of the connection and a table of what the operating system knows.
 */
@Export
@Version("1.0.0")
package ext4.api.keep;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
