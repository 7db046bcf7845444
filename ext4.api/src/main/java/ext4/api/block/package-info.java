// SPDX-License-Identifier: Apache-2.0
/**
 * Block devices: a flat range of bytes that a filesystem lives on.
 *
 * <p>Offsets and lengths are in bytes everywhere in this package.
 */
@Export
@Version("1.0.0")
package ext4.api.block;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
